import { Button } from '@horae-tooling/design/parts';
import { minuteClock } from '@horae-tooling/design/times';
import { useEffect, useState } from 'preact/hooks';

const STEP_MS = 60;

/** Moves through the day, by hand or by itself. */
export function Scrubber(props: { minutes: number; startAt: string; t: number; onT: (t: number) => void }) {
  const { minutes, startAt, t, onT } = props;
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setTimeout(() => (t >= minutes ? setPlaying(false) : onT(t + 1)), STEP_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, t, minutes, onT]);
  return (
    <div class="scrubber">
      <Button small onClick={() => setPlaying(!isPlaying)}>
        {isPlaying ? 'Pause' : 'Play'}
      </Button>
      <input
        type="range"
        aria-label="Minute of the day"
        aria-valuetext={minuteClock(startAt, t)}
        min={0}
        max={minutes}
        value={t}
        onInput={(event) => onT(Number(event.currentTarget.value))}
      />
      <output class="number mono">{minuteClock(startAt, t)}</output>
    </div>
  );
}
