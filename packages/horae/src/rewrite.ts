export * from '@horae/rewrite-reserve';
