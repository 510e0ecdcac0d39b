import { version } from '../../wiring/version.ts';
import type { Finding } from './finding.ts';

/** 0 if all is right, 1 if something is wrong, 2 if something could not be checked. */
export function exitCodeOf(findings: readonly Finding[]): number {
  if (findings.some(({ state }) => state === 'wrong')) return 1;
  return findings.some(({ state }) => state === 'unchecked') ? 2 : 0;
}

/** The findings as one line of JSON. */
export function jsonOf(findings: readonly Finding[]): string {
  return JSON.stringify({ isRight: exitCodeOf(findings) === 0, version, findings });
}

/** The findings for people, a line each, and a summary. */
export function textOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length)) + 2;
  const lines = findings.map(
    ({ check, state, text }) => `${state.padEnd(11)}${check.padEnd(width)}${text}\n`,
  );
  return `${lines.join('')}${summaryOf(findings)}\n`;
}

function summaryOf(findings: readonly Finding[]): string {
  const count = (state: Finding['state']): number => findings.filter((each) => each.state === state).length;
  const [bad, open] = [count('wrong'), count('unchecked')];
  if (bad + open === 0) return '\nAll is right.';
  const parts = [...(bad > 0 ? [`${bad} wrong`] : []), ...(open > 0 ? [`${open} could not be checked`] : [])];
  return `\n${parts.join(', ')}.`;
}
