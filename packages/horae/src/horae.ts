#!/usr/bin/env node
import { main } from './command/main.js';

await main(process.argv.slice(2));
