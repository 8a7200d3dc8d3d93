export * from '@horae/declarative-scheduler';
