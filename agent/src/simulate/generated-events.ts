import type { EventInput } from '../commands/device-calls.ts';

type Draw = (least: number, most: number) => number;

/** Sentences with figures in them; the severe ones are rarer, as they are in life. */
const sentences: readonly { readonly weight: number; readonly tell: (draw: Draw) => EventInput }[] = [
  { weight: 6, tell: (draw) => reading('Trace', 'power', 'Supply voltage', draw(118, 126) / 10, 'V') },
  { weight: 6, tell: (draw) => reading('Debug', 'network', 'Round trip to the hub', draw(8, 90), 'ms') },
  { weight: 5, tell: (draw) => reading('Debug', 'storage', 'Ring buffer filled to', draw(10, 70), '%') },
  { weight: 8, tell: (draw) => reading('Info', 'climate', 'Cabinet temperature', draw(170, 340) / 10, '°C') },
  { weight: 8, tell: (draw) => reading('Info', 'brakes', 'Brake temperature', draw(60, 180), '°C') },
  { weight: 4, tell: (draw) => plain('Info', 'access', `Door ${draw(1, 4)} opened`) },
  { weight: 4, tell: (draw) => plain('Info', 'access', `Door ${draw(1, 4)} closed`) },
  { weight: 2, tell: (draw) => plain('Info', 'update', `Map tile package ${draw(40, 99)} is up to date`) },
  {
    weight: 4,
    tell: (draw) => reading('Warning', 'network', 'Link quality has fallen to', draw(12, 45), '%'),
  },
  {
    weight: 3,
    tell: (draw) => reading('Warning', 'brakes', 'Brake temperature is high', draw(240, 330), '°C'),
  },
  { weight: 2, tell: (draw) => reading('Warning', 'storage', 'Storage is nearly full', draw(88, 96), '%') },
  { weight: 2, tell: (draw) => plain('Error', 'camera', `Camera ${draw(1, 3)} delivers no picture`) },
  { weight: 2, tell: (draw) => reading('Error', 'power', 'Battery does not charge, at', draw(8, 30), '%') },
  { weight: 1, tell: (draw) => reading('Critical', 'brakes', 'Brake overheated', draw(400, 520), '°C') },
  { weight: 1, tell: () => plain('Critical', 'access', 'The cabinet was opened without a key') },
];
const totalWeight = sentences.reduce((sum, { weight }) => sum + weight, 0);

/** Invents what happens next on a device. `random` draws from 0 up to 1. */
export function generateEvent(random: () => number): EventInput {
  const draw: Draw = (least, most) => least + Math.floor(random() * (most - least + 1));
  let left = random() * totalWeight;
  for (const { weight, tell } of sentences) {
    left -= weight;
    if (left < 0) return tell(draw);
  }
  return plain('Info', 'access', 'Nothing to report');
}

function plain(severity: EventInput['severity'], category: string, body: string): EventInput {
  return { severity, category, body, attributes: {} };
}

function reading(
  severity: EventInput['severity'],
  category: string,
  what: string,
  value: number,
  unit: string,
): EventInput {
  return { severity, category, body: `${what}: ${value} ${unit}`, attributes: { value, unit } };
}
