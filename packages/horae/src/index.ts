export * as time from '@horae/clock-store';
export * as cron from '@horae/cron-grammar';
export * as tasks from '@horae/declarative-scheduler';
export * as sim from '@horae/epoch-sim';
export * as shift from '@horae/midgard-shift';
export * as rewrite from '@horae/rewrite-reserve';
export * as ring from '@horae/time-ring';
