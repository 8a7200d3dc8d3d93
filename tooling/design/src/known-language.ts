// Some systems without a locale give the browser a language that is none ("en-US@posix"), at which Intl, and with it uPlot, throws.
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en' });
}
