export * from '@horae/declarative-scheduler/trace';
