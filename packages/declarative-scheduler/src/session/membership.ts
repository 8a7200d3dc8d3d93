import { createSupervisedLoop } from '@horae/clock-store';
import type { EventLog } from '../base/event-log.js';
import { HEARTBEAT_MS } from '../base/lease-watch.js';
import type { SchedulerSettings } from '../base/scheduler-options.js';
import { LeaseLostError } from '../store/lease.js';
import type { DeclaredTask } from '../task/registration.js';
import type { Role } from '../trace/trace-event.js';
import { type Claimed, createLeaseClaims, type LeaseClaims } from './claim-lease.js';
import { awaitHandOver } from './hand-over.js';
import { HeldLease } from './held-lease.js';
import { prepareSession } from './prepare-session.js';
import type { Session } from './session.js';
import { createStoreHealth, type StoreHealth } from './store-health.js';

/** The time from `initialize` to the end of `stop`: the role of this instance, and its session while it leads. */
export class Membership {
  role: Role | null = null;
  /** The session while this instance leads; the last one after the end. */
  session: Session | null = null;
  readonly finished: Promise<void>;
  readonly health: StoreHealth;
  private lease: HeldLease | null = null;
  private standingBy: Promise<void> = Promise.resolve();
  private finish!: () => void;
  private readonly stopping = new AbortController();
  private readonly claims: LeaseClaims;

  constructor(
    readonly declared: readonly DeclaredTask[],
    private readonly settings: SchedulerSettings,
    private readonly events: EventLog,
    private readonly unsettled: Map<string, Promise<void>>,
  ) {
    this.health = createStoreHealth(settings.clock, events, () => this.loseLease());
    this.claims = createLeaseClaims(settings.store, settings.clock, events.schedulerId);
    this.finished = new Promise((resolve) => {
      this.finish = resolve;
    });
  }

  /** Finds the first role. Rejects when the store fails, or with `NamespaceBusyError`; nothing is left behind then. */
  async join(): Promise<void> {
    const { instances } = this.settings;
    if (instances === 'alone') {
      await this.lead(null);
      return;
    }
    const claimed = await (instances === 'one' ? this.claims.claimOrReject() : this.claims.tryClaim());
    if (claimed !== null) await this.lead(this.hold(claimed));
    else this.setRole('standby');
  }

  /** Starts polling as a leader, or standing by; resolves when due tasks have been started. */
  async begin(): Promise<void> {
    if (this.role === 'standby') this.standBy();
    else await this.session?.begin();
  }

  /** Resolves when the runs are over, or cut off at the deadline. Called from inside a run it does not wait for that run. */
  async stop(deadlineMs: number | undefined): Promise<void> {
    const session = this.session;
    this.requestStop();
    // A stop from inside a run ends when that run is over as well.
    if (session !== null && (await session.runs.over(deadlineMs)).isInside) return;
    await this.finished;
  }

  private requestStop(): void {
    if (this.stopping.signal.aborted) return;
    this.events.emit('SchedulerStopRequested');
    this.session?.requestStop();
    this.stopping.abort();
    void this.end();
  }

  private async end(): Promise<void> {
    const { store, log } = this.settings;
    await this.standingBy;
    const { session } = this;
    await session?.drained();
    await this.lease?.release().catch((error: unknown) => log.warn({ err: error }, 'The lease was not released'));
    await store.close().catch((error: unknown) => log.warn({ err: error }, 'The task store did not close'));
    session?.reportStopped();
    const leftBehind = session?.runs.leftBehind;
    this.events.emit('SchedulerStopped', leftBehind === undefined ? {} : { reason: leftBehind });
    this.role = null;
    this.finish();
  }

  /** Leads from now on, but starts nothing yet. */
  private async lead(lease: HeldLease | null): Promise<void> {
    const { settings, events, unsettled, health } = this;
    this.lease = lease;
    try {
      const session = await prepareSession(this.declared, { ...settings, events, unsettled, health, lease });
      if (this.lease !== lease) throw new LeaseLostError(lease!.namespace, lease!.fence);
      // A stop that came during a takeover releases the lease in its turn.
      if (this.stopping.signal.aborted) return;
      this.session = session;
    } catch (error) {
      this.lease = null;
      await lease?.release().catch(() => {});
      throw error;
    }
    health.works();
    this.setRole('leader');
    this.session.reportPolling();
  }

  private setRole(role: Role): void {
    this.role = role;
    // The trace of a scheduler that is alone is exactly the specification's, which has no roles.
    if (this.settings.instances === 'alone') this.events.announce('SchedulerRoleChanged', { role });
    else this.events.emit('SchedulerRoleChanged', { role });
  }

  private standBy(): void {
    const { clock, random } = this.settings;
    const loop = createSupervisedLoop({
      clock,
      random,
      backoff: { firstMs: HEARTBEAT_MS, longestMs: HEARTBEAT_MS },
      pass: async () => {
        if ((await this.takeOver()) || this.stopping.signal.aborted) return 'done';
        return { afterMs: HEARTBEAT_MS };
      },
      onFailure: (error) => this.health.failedHeartbeat(error),
    });
    const before = this.standingBy;
    const endWaiting = awaitHandOver(() => loop.poke());
    this.standingBy = loop
      .run(this.stopping.signal)
      .finally(endWaiting)
      .then(() => before);
  }

  /** Leads if the lease is free; false when it is not. */
  private async takeOver(): Promise<boolean> {
    const claimed = await this.claims.tryClaim();
    this.health.works();
    if (claimed === null) return false;
    await this.lead(this.hold(claimed));
    await this.session?.begin();
    return true;
  }

  private hold({ lease, claimedAtMs }: Claimed): HeldLease {
    const { settings, health } = this;
    return new HeldLease(lease, { ...settings, health, claimedAtMs, onLost: () => this.loseLease() });
  }

  /** Another instance leads: this one starts nothing more and records nothing of its runs. */
  private loseLease(): void {
    const { session, lease } = this;
    if (lease === null) return;
    this.lease = null;
    lease.forget();
    if (session === null) return;
    session.abandon(new LeaseLostError(lease.namespace, lease.fence));
    if (this.stopping.signal.aborted) return;
    this.session = null;
    this.setRole('standby');
    session.reportStopped();
    this.standBy();
  }
}
