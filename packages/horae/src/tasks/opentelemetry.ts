export * from '@horae/declarative-scheduler/opentelemetry';
