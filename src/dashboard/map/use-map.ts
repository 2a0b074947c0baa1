import { useEffect, useState } from 'preact/hooks';
import type { WorldShapes } from './shapes.ts';

const load = async () => {
  const [{ WorldMap }, shapes] = await Promise.all([import('./WorldMap.tsx'), import('./world-shapes.json')]);
  return { WorldMap, shapes: shapes.default as unknown as WorldShapes }; // pairs in JSON are lists
};

/** Code and borders of the map, loaded when it is first shown. */
export function useMap() {
  const [map, setMap] = useState<Awaited<ReturnType<typeof load>>>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    load().then(setMap, () => setFailed(true));
  }, []);
  return { map, hasFailed };
}
