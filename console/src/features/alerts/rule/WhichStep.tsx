import { deviceFields, type Id } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DeviceFilterField } from '../../../parts/device-filter/DeviceFilterField.tsx';
import { documentPath } from '../../../parts/document-path.ts';
import { mistakeIn } from '../../../parts/filter-mistake.ts';
import { NumberedStep } from '../../../ui/layout/NumberedStep.tsx';
import { MistakeInFilter } from '../../../ui/table/MistakeInFilter.tsx';
import { ruleCopy } from './copy.ts';
import type { ChangeRuleDraft, DraftRule } from './draft-rule.ts';

const words = ruleCopy.whom;
const errorId = 'which-mistake';

/** Of which devices: a filter as in their list. */
export function WhichStep({
  projectId,
  draft: { kind, filter },
  change,
}: {
  projectId: Id<'project'>;
  draft: DraftRule;
  change: ChangeRuleDraft;
}) {
  const [isCompleting, setIsCompleting] = useState(false);
  const query = filter.trim();
  const mistake =
    query === '' || query === 'all' || isCompleting ? undefined : mistakeIn(filter, deviceFields, 0);
  return (
    <NumberedStep number={2} title={words.title} text={words.text}>
      <DeviceFilterField
        {...{ projectId }}
        label={words.filter}
        placeholder={words.placeholder}
        value={filter}
        onValueChange={(next) => change({ filter: next })}
        errorId={mistake && errorId}
        onListChange={setIsCompleting}
      />
      {mistake !== undefined && (
        <div className="mt-2">
          <MistakeInFilter id={errorId} mistake={mistake} />
        </div>
      )}
      <p className="mt-2 flex flex-wrap items-baseline gap-x-3.5 gap-y-1 text-small text-ink2">
        {kind === 'Matching' ? (
          <>
            {words.usual}
            {Object.entries(words.presets).map(([text, label]) => (
              <button
                key={text}
                type="button"
                title={text}
                onClick={() => change({ filter: text })}
                className="touch-area rounded-control text-denim underline decoration-line-strong underline-offset-3 hover:text-denim-hover"
              >
                {label}
              </button>
            ))}
          </>
        ) : (
          words.all
        )}
        <Link
          to={documentPath('filters')}
          className="touch-area ms-auto rounded-control text-ink underline decoration-line-strong underline-offset-3 hover:text-denim"
        >
          {words.help}
        </Link>
      </p>
    </NumberedStep>
  );
}
