import { nameProblem } from '@corral/contract';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { onboardingCopy } from './copy.ts';
import { problemCopy } from '../../../copy/problems.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import { formatDate } from '../../../ui/time/format-time.ts';
import { hubNow } from '../../../data/hub-clock.ts';

/** The form that creates the token, with a default name. */
export function CreateTokenForm({
  isCreating,
  failure,
  onCreate,
}: {
  isCreating: boolean;
  failure: string | undefined;
  onCreate: (name: string) => void;
}) {
  const [name, setName] = useState(() => onboardingCopy.defaultName(formatDate(hubNow())));
  const [blurred, setBlurred] = useState(false);
  const [dirty, setDirty] = useState(false);
  const problem = nameProblem(name, 'name');
  const valid = problem === undefined;
  return (
    <form
      noValidate
      className="flex max-w-form flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (valid && !isCreating) onCreate(name.trim());
      }}
    >
      <TextField
        label={onboardingCopy.tokenName}
        description={onboardingCopy.tokenNameHint}
        value={name}
        onValueChange={(text) => {
          setName(text);
          setDirty(true);
        }}
        onBlur={() => setBlurred(true)}
        {...{ dirty, blurred, valid }}
        error={problem && problemCopy[problem]}
        required
        autoComplete="off"
        spellCheck={false}
      />
      {failure !== undefined && (
        <p role="alert" className="text-body text-danger">
          {failure}
        </p>
      )}
      <div>
        <Button
          type="submit"
          variant="primary"
          icon={<KeyRound size={15} aria-hidden />}
          disabled={!valid}
          loading={isCreating}
        >
          {onboardingCopy.make}
        </Button>
      </div>
    </form>
  );
}
