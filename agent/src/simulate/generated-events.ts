import type { EventInput } from '../commands/device-calls.ts';

type RandomInteger = (min: number, max: number) => number;

/** Sentences with figures in them; the severe ones are rarer, as they are in life. */
const sentences: readonly {
  readonly weight: number;
  readonly tell: (randomInteger: RandomInteger) => EventInput;
}[] = [
  {
    weight: 6,
    tell: (randomInteger) => reading('Trace', 'power', 'Supply voltage', randomInteger(118, 126) / 10, 'V'),
  },
  {
    weight: 6,
    tell: (randomInteger) => reading('Debug', 'network', 'Round trip to the hub', randomInteger(8, 90), 'ms'),
  },
  {
    weight: 5,
    tell: (randomInteger) => reading('Debug', 'storage', 'Ring buffer filled to', randomInteger(10, 70), '%'),
  },
  {
    weight: 8,
    tell: (randomInteger) =>
      reading('Info', 'climate', 'Cabinet temperature', randomInteger(170, 340) / 10, '°C'),
  },
  {
    weight: 8,
    tell: (randomInteger) => reading('Info', 'brakes', 'Brake temperature', randomInteger(60, 180), '°C'),
  },
  { weight: 4, tell: (randomInteger) => plain('Info', 'access', `Door ${randomInteger(1, 4)} opened`) },
  { weight: 4, tell: (randomInteger) => plain('Info', 'access', `Door ${randomInteger(1, 4)} closed`) },
  {
    weight: 2,
    tell: (randomInteger) =>
      plain('Info', 'update', `Map tile package ${randomInteger(40, 99)} is up to date`),
  },
  {
    weight: 4,
    tell: (randomInteger) =>
      reading('Warning', 'network', 'Link quality has fallen to', randomInteger(12, 45), '%'),
  },
  {
    weight: 3,
    tell: (randomInteger) =>
      reading('Warning', 'brakes', 'Brake temperature is high', randomInteger(240, 330), '°C'),
  },
  {
    weight: 2,
    tell: (randomInteger) =>
      reading('Warning', 'storage', 'Storage is nearly full', randomInteger(88, 96), '%'),
  },
  {
    weight: 2,
    tell: (randomInteger) => plain('Error', 'camera', `Camera ${randomInteger(1, 3)} delivers no picture`),
  },
  {
    weight: 2,
    tell: (randomInteger) =>
      reading('Error', 'power', 'Battery does not charge, at', randomInteger(8, 30), '%'),
  },
  {
    weight: 1,
    tell: (randomInteger) => reading('Critical', 'brakes', 'Brake overheated', randomInteger(400, 520), '°C'),
  },
  { weight: 1, tell: () => plain('Critical', 'access', 'The cabinet was opened without a key') },
];
const totalWeight = sentences.reduce((sum, { weight }) => sum + weight, 0);

/** Invents what happens next on a device. `random` draws from 0 up to 1. */
export function generateEvent(random: () => number): EventInput {
  const randomInteger: RandomInteger = (min, max) => min + Math.floor(random() * (max - min + 1));
  let left = random() * totalWeight;
  for (const { weight, tell } of sentences) {
    left -= weight;
    if (left < 0) return tell(randomInteger);
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
