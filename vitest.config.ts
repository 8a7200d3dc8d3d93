import { defineConfig } from 'vitest/config';
import { projects } from './tooling/vitest/projects.js';

export default defineConfig({ test: { projects } });
