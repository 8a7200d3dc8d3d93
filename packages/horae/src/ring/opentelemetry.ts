export * from '@horae/time-ring/opentelemetry';
