export * from '@horae/clock-store';
