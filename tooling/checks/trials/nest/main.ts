import 'reflect-metadata';
import { nextOccurrence, parseCron } from '@horae/cron-grammar';
import { createExecutor, startTimeRing, type TimeRing } from '@horae/time-ring';
import { createRing } from '@horae/time-ring/wheel';
import { Injectable, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

@Injectable()
class Greeter {
  greet(name: unknown): string {
    return `Hello ${name}`;
  }
}

/** A ring as a provider: it starts with the application and stops with it. */
@Injectable()
class Schedule implements OnModuleInit, OnApplicationShutdown {
  #ring?: TimeRing;

  constructor(private readonly greeter: Greeter) {}

  async onModuleInit(): Promise<void> {
    this.#ring = await startTimeRing({ database: 'sqlite::memory:' });
    await createExecutor({ ring: this.#ring, handlers: { greet: ({ params }) => this.greeter.greet(params) } });
    await this.#ring.jobs.put({ key: 'greet', name: 'Greet', handler: 'greet', schedule: { kind: 'none' } });
  }

  async greet(name: string): Promise<string | null> {
    const ring = this.#ring!;
    const done = new Promise<string | null>((resolve) =>
      ring.events.on('run-succeeded', ({ run }) => resolve(run.message)),
    );
    await ring.jobs.trigger('greet', { params: name });
    return done;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#ring?.stop();
  }
}

@Module({ providers: [Greeter, Schedule] })
class Application {}

async function main(): Promise<void> {
  const application = await NestFactory.createApplicationContext(Application, { logger: false });
  console.log(await application.get(Schedule).greet('Nest'));
  console.log(nextOccurrence(parseCron('0 0 * * *'), new Date(0), 'UTC').toISOString());
  console.log(typeof createRing);
  await application.close();
}

void main();
