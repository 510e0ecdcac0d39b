import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { Button } from '../../../ui/action/Button.tsx';
import { Combobox } from '../../../ui/form/Combobox.tsx';
import { Select } from '../../../ui/form/Select.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import { settingsCopy } from './copy.ts';
import { type GroupRight, readGroupRights, writeGroupRights } from './group-rights.ts';
import { projectsQuery } from './settings.ts';

const words = settingsCopy.groupRights;
const quiet = { dirty: false, blurred: false, valid: undefined };

/** What the groups of people at the provider give them here, a row a right. */
export function GroupRights({
  label,
  value,
  error,
  isBusy,
  onChange,
}: {
  label: string;
  /** As the hub keeps it, a line a right. */
  value: string;
  error: string | undefined;
  isBusy: boolean;
  onChange: (text: string) => void;
}) {
  const rights = readGroupRights(value);
  const set = (next: readonly GroupRight[]) => onChange(writeGroupRights(next));
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 border-t border-line pt-4">
      <legend className="float-start text-label">{label}</legend>
      <p className="text-small text-ink2">{words.text}</p>
      {rights.length === 0 && <p className="text-body text-ink3">{words.none}</p>}
      {rights.map((right, at) => (
        <RightRow
          // eslint-disable-next-line react/no-array-index-key -- rows have no other name, and keep their order
          key={at}
          number={at + 1}
          right={right}
          isBusy={isBusy}
          onChange={(next) => set(rights.with(at, next))}
          onRemove={() => set(rights.toSpliced(at, 1))}
        />
      ))}
      {error !== undefined && (
        <p role="alert" className="text-small text-danger">
          {error}
        </p>
      )}
      <Button
        isWrite
        className="self-start"
        disabled={isBusy}
        onClick={() => set([...rights, { group: '', target: '', role: 'member' }])}
      >
        {words.add}
      </Button>
    </fieldset>
  );
}

function RightRow({
  number,
  right: { group, target, role },
  isBusy,
  onChange,
  onRemove,
}: {
  number: number;
  right: GroupRight;
  isBusy: boolean;
  onChange: (right: GroupRight) => void;
  onRemove: () => void;
}) {
  const { data } = useQuery(projectsQuery());
  const known = (data?.projects ?? []).map(({ projectId, name }) => ({
    value: projectId as string,
    label: name,
  }));
  const isOther = target !== '' && target !== 'administrator' && !known.some(({ value }) => value === target);
  const options = [
    { value: 'administrator', label: words.administrator },
    ...known,
    ...(isOther ? [{ value: target, label: target }] : []),
  ];
  const roles = [
    { value: 'member', label: words.roles.member },
    { value: 'owner', label: words.roles.owner },
  ] as const;
  return (
    <div
      role="group"
      aria-label={words.row(number)}
      className="grid items-end gap-3 max-lg:border-b max-lg:border-line max-lg:pb-3 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_8rem_auto]"
    >
      <TextField
        {...quiet}
        label={words.group}
        value={group}
        onValueChange={(next) => onChange({ group: next, target, role })}
        disabled={isBusy}
        autoComplete="off"
      />
      <Combobox
        label={words.gives}
        placeholder={words.choose}
        options={options}
        value={target === '' ? null : target}
        onValueChange={(next) =>
          onChange({ group, target: next ?? '', role: next === 'administrator' ? 'member' : role })
        }
        disabled={isBusy}
      />
      {target === 'administrator' ? (
        <span className="max-lg:hidden" />
      ) : (
        <Select
          {...quiet}
          label={words.role}
          options={roles}
          value={role}
          onValueChange={(next) => onChange({ group, target, role: next ?? 'member' })}
          disabled={isBusy}
        />
      )}
      <Button
        variant="quiet"
        className="max-lg:justify-self-end"
        label={words.removeOf(group)}
        icon={<X size={16} aria-hidden />}
        disabled={isBusy}
        onClick={onRemove}
      />
    </div>
  );
}
