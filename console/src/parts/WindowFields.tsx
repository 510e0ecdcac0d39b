import { Combobox } from '../ui/form/Combobox.tsx';
import { TextField } from '../ui/form/TextField.tsx';
import { windowCopy as words } from './window-copy.ts';

/** Hours of each day, as they are typed. */
export interface TypedWindow {
  readonly windowFrom: string;
  readonly windowTo: string;
  readonly timeZone: string;
}

/** Hours of each day that are often meant, in the zone of this machine. */
export const usualWindow = (): TypedWindow => ({
  windowFrom: '22:00',
  windowTo: '05:00',
  timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
});

/** The typed hours as the hub takes them; undefined while they are no window. */
export function windowOf({ windowFrom: from, windowTo: to, timeZone }: TypedWindow) {
  return from === '' || to === '' || from === to || timeZone === '' ? undefined : { from, to, timeZone };
}

/** The fields of hours of each day: from, to, and the time zone. */
export function WindowFields({
  value: { windowFrom, windowTo, timeZone },
  onChange,
}: {
  value: TypedWindow;
  onChange: (parts: Partial<TypedWindow>) => void;
}) {
  return (
    <div className="mt-3 grid grid-cols-2 items-start gap-4 sm:grid-cols-[8.5rem_8.5rem_minmax(0,1fr)]">
      <TextField
        label={words.from}
        type="time"
        value={windowFrom}
        onValueChange={(next) => onChange({ windowFrom: next })}
      />
      <TextField
        label={words.to}
        type="time"
        value={windowTo}
        onValueChange={(next) => onChange({ windowTo: next })}
      />
      <Combobox
        label={words.timeZone}
        options={zones()}
        value={timeZone === '' ? null : timeZone}
        onValueChange={(next) => onChange({ timeZone: next ?? '' })}
        className="max-sm:col-span-2"
      />
    </div>
  );
}

const zones = () =>
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
    value,
    label: value.replaceAll('_', ' '),
  }));
