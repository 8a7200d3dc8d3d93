export * from '@horae/clock-store/testing';
