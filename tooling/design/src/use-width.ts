import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** The width of an element in pixels, followed as it changes; drawings keep their type size with it. */
export function useWidth(least = 600): { place: RefObject<HTMLDivElement | null>; width: number } {
  const place = useRef<HTMLDivElement | null>(null);
  const [width, setWidth] = useState(least);
  useEffect(() => {
    const element = place.current!;
    const measure = () => setWidth(Math.max(least, Math.floor(element.clientWidth)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [least]);
  return { place, width };
}
