/** The sign of the project, in the page's own colours. */
export function BrandSign() {
  return (
    <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="12" fill="none" stroke="var(--accent)" stroke-width="3" stroke-dasharray="3.6 2.68" />
      <path d="M16 9v7l5 3" fill="none" stroke="var(--engine-cron)" stroke-width="2.6" stroke-linecap="round" />
    </svg>
  );
}
