export * from '@horae/clock-store/storage';
