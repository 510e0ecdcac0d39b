const places = [
  'north-gate',
  'quay',
  'barn',
  'pump-house',
  'orchard',
  'mill',
  'cold-store',
  'yard',
  'weighbridge',
  'silo',
  'workshop',
  'ferry',
];
const things = ['gateway', 'camera', 'sensor', 'controller', 'display', 'meter'];

/** The name of the n-th device of the demo fleet, counted from 0; all names are different. */
export function demoName(index: number): string {
  const place = places[index % places.length] ?? '';
  const thing = things[Math.floor(index / places.length) % things.length] ?? '';
  const round = Math.floor(index / (places.length * things.length));
  return round === 0 ? `${place}-${thing}` : `${place}-${thing}-${round + 1}`;
}
