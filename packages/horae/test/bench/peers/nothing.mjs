// What every program of Node costs before it does anything.
