import { pathNameProblem } from '@corral/contract';
import { Plus, X } from 'lucide-react';
import type { FormEvent } from 'react';
import { problemCopy } from '../../../copy/problems.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { TagBadge } from '../../../ui/badge/TagBadge.tsx';
import { Checkbox } from '../../../ui/form/Checkbox.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import { versionName } from '../version-name.ts';
import { publishCopy } from './copy.ts';
import type { ChangeDraft, DraftTag, DraftVersion } from './draft-version.ts';
import { NumberedStep } from '../../../ui/layout/NumberedStep.tsx';
import type { TagTarget } from './tag-targets.ts';

const words = publishCopy.tags;

/** The tags that a version gets, with what each points at now; `known` are those that may move. */
export function TagsStep({
  draft: { tags, typedTag },
  targets,
  known,
  change,
}: {
  draft: Pick<DraftVersion, 'tags' | 'typedTag'>;
  targets: readonly TagTarget[];
  known: readonly string[];
  change: ChangeDraft;
}) {
  const offered = known.filter((tag) => !tags.some((one) => one.tag === tag));
  const add = (tag: string): void => {
    const isThere = tags.some((one) => one.tag === tag);
    change({
      tags: isThere ? tags : [...tags, { tag, locked: false }],
      ...(tag === typedTag && { typedTag: '' }),
    });
  };
  return (
    <NumberedStep number={2} title={words.title} text={words.text}>
      {tags.length > 0 && (
        <ul
          aria-label={words.listTitle}
          className="mb-3 divide-y divide-line rounded-card border border-line"
        >
          {tags.map((one, index) => (
            <TagRow
              key={one.tag}
              {...one}
              target={targets[index]}
              onLock={(locked) =>
                change({ tags: tags.map((other) => (other === one ? { ...one, locked } : other)) })
              }
              onRemove={() => change({ tags: tags.filter((other) => other !== one) })}
            />
          ))}
        </ul>
      )}
      {offered.length > 0 && (
        <p className="mb-3 flex flex-wrap items-center gap-2">
          <span className="text-small text-ink3">{words.known}</span>
          {offered.map((tag) => (
            <Button
              key={tag}
              size="small"
              icon={<Plus size={13} aria-hidden />}
              label={words.take(tag)}
              onClick={() => add(tag)}
            >
              {tag}
            </Button>
          ))}
        </p>
      )}
      <NewTag typed={typedTag} onType={(typed) => change({ typedTag: typed })} onAdd={add} />
      {tags.length === 0 && <p className="mt-2 text-small text-ink3">{words.none}</p>}
    </NumberedStep>
  );
}

function TagRow({
  tag,
  locked,
  target,
  onLock,
  onRemove,
}: DraftTag & {
  target: TagTarget | undefined;
  onLock: (locked: boolean) => void;
  onRemove: () => void;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5 ps-3 pe-1.5">
      <TagBadge tag={tag} isLocked={locked} />
      <span
        role={target?.isLocked === true ? 'alert' : undefined}
        className={`min-w-0 flex-1 text-body wrap-anywhere ${target?.isLocked === true ? 'text-danger' : 'text-ink3'}`}
      >
        {stateOf(target)}
      </span>
      <span className="ms-auto flex items-center gap-2">
        {target?.isLocked !== true && (
          <Checkbox
            label={
              <>
                {words.lock}
                <span className="sr-only">: {tag}</span>
              </>
            }
            checked={locked}
            onCheckedChange={onLock}
          />
        )}
        <Button
          size="small"
          variant="quiet"
          icon={<X size={15} aria-hidden />}
          label={words.removeOf(tag)}
          onClick={onRemove}
        />
      </span>
    </li>
  );
}

function stateOf(target: TagTarget | undefined): string {
  if (target === undefined || target.isPending) return '';
  if (target.version === undefined) return words.isNew;
  const name = versionName(target.version);
  return target.isLocked ? words.lockedAt(name) : words.points(name);
}

/** Takes a typed tag by the button or Enter; it says what is wrong while it is typed. */
function NewTag({
  typed,
  onType,
  onAdd,
}: {
  typed: string;
  onType: (typed: string) => void;
  onAdd: (tag: string) => void;
}) {
  const problem = typed === '' ? undefined : pathNameProblem(typed, 'tag');
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (typed !== '' && problem === undefined) onAdd(typed);
  }
  return (
    <form noValidate onSubmit={submit} className="flex items-start gap-2">
      <TextField
        className="min-w-0 flex-1 sm:max-w-72"
        label={words.label}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onValueChange={onType}
        dirty={problem !== undefined}
        blurred={problem !== undefined}
        valid={problem === undefined ? undefined : false}
        error={problem && problemCopy[problem]}
      />
      <Button
        type="submit"
        isWrite={false}
        className="mt-6.5"
        disabled={typed === '' || problem !== undefined}
      >
        {words.add}
      </Button>
    </form>
  );
}
