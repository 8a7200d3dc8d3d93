// Some systems without a locale pass the browser an invalid language ("en-US@posix"), at which Intl, and with it uPlot, throws.
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en' });
}
