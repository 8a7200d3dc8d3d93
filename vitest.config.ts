import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { projects } from './tooling/vitest/projects.js';

// Many tests wait for servers and child processes: as many workers as cores, where the default would leave one core idle.
export default defineConfig({ test: { projects, maxWorkers: availableParallelism() } });
