import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { gauges, measured, sharedGauges } from './metric-catalogue.ts';
import { createMetrics } from './metrics.ts';

const folder = new URL('../../../../docs/operations/', import.meta.url);
const read = (name: string): Promise<string> => readFile(new URL(name, folder), 'utf8');

/** The names of all metrics that a hub answers, those of the parts of histograms included. */
async function knownMetrics(): Promise<Set<string>> {
  const lines = (await createMetrics().text()).matchAll(/^# TYPE (\S+) (\S+)$/gm);
  const named = [...lines].map(([, name = '', kind = '']) => [name, kind] as const);
  const own = Object.entries(measured).map(([name, { kind }]) => [name, kind] as const);
  const parts = (name: string, kind: string) =>
    kind === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name];
  return new Set([
    ...Object.keys(gauges),
    ...Object.keys(sharedGauges),
    ...[...named, ...own].flatMap((each) => parts(...each)),
  ]);
}

const namesIn = (text: string): string[] => [
  ...new Set(text.match(/\b(?:corral|process|nodejs)_[a-z0-9_]+/g)),
];

/** The expressions of PromQL in a file. */
const expressions: Readonly<Record<string, (text: string) => string[]>> = {
  'prometheus-alerts.yaml': (text) => [...text.matchAll(/^ +expr: (.*)$/gm)].map(([, found = '']) => found),
  'grafana-dashboard.json': (text) => {
    const { panels } = JSON.parse(text) as { panels: { targets: { expr: string }[] }[] };
    return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  },
};

test.each(Object.keys(expressions))('every metric in %s is one that a hub answers', async (file) => {
  const known = await knownMetrics();
  const text = await read(file);
  const found = expressions[file]?.(text) ?? [];
  expect(found.length).toBeGreaterThan(8);
  // Prometheus itself says whether it could ask a hub.
  for (const expression of found.filter((each) => !each.startsWith('up{')))
    expect(namesIn(expression), expression).not.toEqual([]);
  expect(namesIn(text).filter((name) => !known.has(name))).toEqual([]);
});

test('the command of the package runs the program of the service with its settings', async () => {
  const [unit, command] = await Promise.all([
    read('corral-hub.service'),
    read('../../tools/release/files/deb/corral-hub.sh'),
  ]);
  const valueOf = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(unit)?.[1] ?? '';
  const [node = '', , program = ''] = valueOf('ExecStart').split(' ');
  const user = valueOf('User');
  for (const part of [
    `--reuid=${user} --regid=${valueOf('Group')}`,
    `--env-file-if-exists=${valueOf('EnvironmentFile').replace(/^-/, '')}`,
    `set -- ${node} --env-file=/usr/lib/corral-hub/defaults.env `,
    ` ${program} "$@"`,
  ])
    expect(command).toContain(part);
  expect(await read('../../tools/release/files/deb/defaults.env')).toContain(valueOf('Environment'));
});

const containerFiles = ['compose.yaml', 'kubernetes.yaml'];

test.each(containerFiles)('the images of %s have exact versions', async (file) => {
  const images = [...(await read(file)).matchAll(/^ *image: (\S+)/gm)].map(([, image = '']) => image);
  expect(images).not.toEqual([]);
  for (const image of images) expect(image).toMatch(/:\d+\.\d+(?:\.\d+)?(?:-|@|$)/);
});

test.each(containerFiles)('no command line in %s has a password', async (file) => {
  for (const [line] of (await read(file)).matchAll(/^ *(?:command|args|entrypoint|test)\b.*$/gm))
    expect(line).not.toMatch(/\$\{|pass|secret|token/i);
});

test('hubs in containers show metrics to single addresses, and peers reach them from hubs only', async () => {
  const [compose, kubernetes] = await Promise.all([read('compose.yaml'), read('kubernetes.yaml')]);
  for (const text of [compose, kubernetes]) expect(text).toMatch(/CORRAL_METRICS_FROM: [\d.]+$/m);
  const policy = kubernetes.split(/^---$/m).find((each) => each.includes('kind: NetworkPolicy')) ?? '';
  const [, ingress = ''] = /^  ingress:\n([^]*)^  egress:/m.exec(policy) ?? [];
  const rules = ingress.split(/^    - /m).slice(1);
  expect(rules.map((rule) => [/port: (\d+)/.exec(rule)?.[1], rule.includes('from:')])).toEqual([
    ['8080', false],
    ['8444', true],
  ]);
});

test('every metric of the hub is on the dashboard', async () => {
  const shown = namesIn(await read('grafana-dashboard.json'));
  const isShown = (name: string) => shown.some((each) => each.startsWith(name));
  expect(
    [...Object.keys(gauges), ...Object.keys(sharedGauges), ...Object.keys(measured)].filter(
      (name) => !isShown(name),
    ),
  ).toEqual([]);
});
