import { check, forward, object, partialCheck, pipe, string, transform, trim } from 'valibot';
import { otlpCopy } from './copy.ts';
import type { OtlpChange, OtlpConfig } from './otlp.ts';

const words = otlpCopy.fields;
const mask = '***';
const streams = ['events', 'audit', 'operations', 'connections'] as const;
const severities = ['Trace', 'Debug', 'Info', 'Warning', 'Error', 'Critical'] as const;

const isUrl = (typed: string): boolean =>
  URL.canParse(typed) && ['https:', 'http:'].includes(new URL(typed).protocol);

/** The first header, which the form has; further ones stay as they are. */
const shownHeader = ({ headers }: OtlpConfig): string => Object.keys(headers)[0] ?? '';

/** The validation of the form, whose result is the configuration. */
export const exportSchema = (present: OtlpConfig) =>
  pipe(
    object({
      endpoint: pipe(
        string(),
        trim(),
        check(isUrl, () => words.endpointWrong),
      ),
      header: pipe(string(), trim()),
      value: string(),
      streams: pipe(
        string(),
        check(
          (typed) => typed.trim() !== '',
          () => words.streamsMissing,
        ),
      ),
      minSeverity: string(),
      filter: pipe(string(), trim()),
    }),
    forward(
      partialCheck(
        [['header'], ['value']],
        ({ header, value }) => header === '' || value !== '' || header === shownHeader(present),
        () => words.valueMissing,
      ),
      ['value'],
    ),
    transform((typed) => changeOf(typed, present)),
  );

function changeOf(
  {
    endpoint,
    header,
    value,
    streams: chosen,
    minSeverity,
    filter,
  }: Record<'endpoint' | 'header' | 'value' | 'streams' | 'minSeverity' | 'filter', string>,
  present: OtlpConfig,
): OtlpChange {
  const others = Object.fromEntries(
    Object.keys(present.headers)
      .slice(1)
      .map((name) => [name, mask]),
  );
  return {
    enabled: true,
    endpoint,
    headers: header === '' ? others : { [header]: value === '' ? mask : value, ...others },
    streams: streams.filter((stream) => chosen.split(' ').includes(stream)),
    ...(minSeverity === '' || minSeverity === 'Trace'
      ? {}
      : { minSeverity: severities.find((one) => one === minSeverity) }),
    ...(filter === '' ? {} : { filter }),
  };
}

/** The fields of the form, with what they begin with. */
export function exportFields(present: OtlpConfig) {
  const header = shownHeader(present);
  const plain = { spellCheck: false, autoCapitalize: 'none' } as const;
  return {
    endpoint: {
      ...plain,
      label: words.endpoint,
      hint: words.endpointHint,
      required: true,
      type: 'url',
      placeholder: 'https://collector.example:4318/v1/logs',
      initial: present.endpoint ?? '',
    },
    header: { ...plain, label: words.header, hint: words.headerHint, required: false, initial: header },
    value: {
      ...plain,
      label: words.value,
      hint: header === '' ? words.valueHint : `${words.valueHint} ${words.valueKept}`,
      required: false,
      type: 'password',
    },
    streams: {
      kind: 'multi-select',
      label: words.streams,
      required: true,
      options: streams.map((value) => ({ value, label: otlpCopy.streamNames[value] })),
      placeholder: words.streamsPlaceholder,
      initial: (present.streams ?? ['events']).join(' '),
    },
    minSeverity: {
      kind: 'select',
      label: words.minSeverity,
      options: severities.map((value) => ({ value, label: value })),
      initial: present.minSeverity ?? 'Trace',
    },
    filter: {
      ...plain,
      label: words.filter,
      hint: words.filterHint,
      required: false,
      initial: present.filter ?? '',
    },
  } as const;
}
