import type { Output as AnswerOf } from '@corral/contract';
import { formatBytes, formatCount, formatTime } from '../output/format.ts';
import type { Output } from '../output/output.ts';
import { plainText } from '../output/plain-text.ts';

type Preview = AnswerOf<'fleet_PreviewOperation'>;

/** What an operation would do, for people. */
export function previewText(preview: Preview, { style }: Output): string {
  const { matched, eligible, offline, excluded, stages, downloadBytes } = preview;
  const now = offline === 0 ? '' : `, of which ${offline} ${offline === 1 ? 'is' : 'are'} not connected now`;
  const left = excluded.map(
    ({ reason, count, sample }) =>
      `  ${formatCount(count, 'device')} left out: ${plainText(reason)}${style.dim(sampleText(sample, count))}`,
  );
  const shares = stages
    .filter(({ devices }) => devices > 0)
    .map(({ name, devices }) => `${plainText(name)}: ${devices}`);
  return [
    `${formatCount(matched, 'device')} found; it runs on ${style.green(String(eligible))}${now}.`,
    ...left,
    ...(shares.length > 1 ? [`Stages: ${shares.join('   ')}`] : []),
    ...changeLines(preview),
    ...(downloadBytes > 0 ? [`To download: ${formatBytes(downloadBytes)} in all.`] : []),
    ...windowLines(preview),
    ...preview.warnings.map((warning) => style.yellow(plainText(warning))),
  ].join('\n');
}

function windowLines({ window }: Preview): string[] {
  return window === undefined
    ? []
    : [`Its window: ${formatTime(window.opensAt)} to ${formatTime(window.closesAt)}.`];
}

function sampleText(sample: Preview['excluded'][number]['sample'], count: number): string {
  if (sample.length === 0) return '';
  const names = sample.map(({ deviceId, name }) => plainText(name ?? deviceId)).join(', ');
  return ` (${names}${count > sample.length ? ', …' : ''})`;
}

function changeLines({ changes }: Preview): string[] {
  return changes.map(({ what, from, to, count }) => {
    const [before, after] = [from, to].map((value) =>
      value === undefined ? 'nothing' : plainText(JSON.stringify(value)),
    );
    return `${plainText(what)}: ${before} → ${after} on ${formatCount(count, 'device')}`;
  });
}
