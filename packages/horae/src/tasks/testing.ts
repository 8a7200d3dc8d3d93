export * from '@horae/declarative-scheduler/testing';
