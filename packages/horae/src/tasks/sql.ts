export * from '@horae/declarative-scheduler/sql';
