// Gives back what a task is told, so that a test can compare it with what it should be.
export default (task) => task;
