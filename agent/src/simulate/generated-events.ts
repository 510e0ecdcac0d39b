import type { EventInput } from '../commands/device-calls.ts';

type RandomInteger = (min: number, max: number) => number;

/** Templates of events with random values; severe events have a lower weight. */
const templates: readonly {
  readonly weight: number;
  readonly make: (randomInteger: RandomInteger) => EventInput;
}[] = [
  {
    weight: 6,
    make: (randomInteger) => reading('Trace', 'power', 'Supply voltage', randomInteger(118, 126) / 10, 'V'),
  },
  {
    weight: 6,
    make: (randomInteger) => reading('Debug', 'network', 'Round trip to the hub', randomInteger(8, 90), 'ms'),
  },
  {
    weight: 5,
    make: (randomInteger) => reading('Debug', 'storage', 'Ring buffer filled to', randomInteger(10, 70), '%'),
  },
  {
    weight: 8,
    make: (randomInteger) =>
      reading('Info', 'climate', 'Cabinet temperature', randomInteger(170, 340) / 10, '°C'),
  },
  {
    weight: 8,
    make: (randomInteger) => reading('Info', 'brakes', 'Brake temperature', randomInteger(60, 180), '°C'),
  },
  { weight: 4, make: (randomInteger) => plain('Info', 'access', `Door ${randomInteger(1, 4)} opened`) },
  { weight: 4, make: (randomInteger) => plain('Info', 'access', `Door ${randomInteger(1, 4)} closed`) },
  {
    weight: 2,
    make: (randomInteger) =>
      plain('Info', 'update', `Map tile package ${randomInteger(40, 99)} is up to date`),
  },
  {
    weight: 4,
    make: (randomInteger) =>
      reading('Warning', 'network', 'Link quality has fallen to', randomInteger(12, 45), '%'),
  },
  {
    weight: 3,
    make: (randomInteger) =>
      reading('Warning', 'brakes', 'Brake temperature is high', randomInteger(240, 330), '°C'),
  },
  {
    weight: 2,
    make: (randomInteger) =>
      reading('Warning', 'storage', 'Storage is nearly full', randomInteger(88, 96), '%'),
  },
  {
    weight: 2,
    make: (randomInteger) => plain('Error', 'camera', `Camera ${randomInteger(1, 3)} delivers no picture`),
  },
  {
    weight: 2,
    make: (randomInteger) =>
      reading('Error', 'power', 'Battery does not charge, at', randomInteger(8, 30), '%'),
  },
  {
    weight: 1,
    make: (randomInteger) => reading('Critical', 'brakes', 'Brake overheated', randomInteger(400, 520), '°C'),
  },
  { weight: 1, make: () => plain('Critical', 'access', 'The cabinet was opened without a key') },
];
const totalWeight = templates.reduce((sum, { weight }) => sum + weight, 0);

/** Generates a random event; `random` returns a number from 0 up to 1. */
export function generateEvent(random: () => number): EventInput {
  const randomInteger: RandomInteger = (min, max) => min + Math.floor(random() * (max - min + 1));
  let left = random() * totalWeight;
  for (const { weight, make } of templates) {
    left -= weight;
    if (left < 0) return make(randomInteger);
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
