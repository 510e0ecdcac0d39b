import { characterCount, nameProblem } from '@corral/contract';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { problemCopy } from '../../../copy/problems.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { messageOf } from '../../../ui/form/message-of.ts';
import { TextField } from '../../../ui/form/TextField.tsx';
import { pairingCopy as words } from './copy.ts';

const maxCharacters = 128;

/** The form of a new pairing key: the name of the device, which may stay empty. */
export function NewKeyForm({ onCreate }: { onCreate: (name: string) => Promise<void> }) {
  const [name, setName] = useState('');
  const [blurred, setBlurred] = useState(false);
  const [isCreating, setIsCreating] = useState(false);
  const [failure, setFailure] = useState<string>();
  const problem = nameProblem(name, 'deviceName');
  const error =
    characterCount(name.trim()) > maxCharacters ? words.nameTooLong : problem && problemCopy[problem];
  async function create(): Promise<void> {
    setFailure(undefined);
    setIsCreating(true);
    try {
      await onCreate(name.trim());
    } catch (cause) {
      setFailure(messageOf(cause));
      setIsCreating(false);
    }
  }
  return (
    <form
      noValidate
      className="flex max-w-form flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (error === undefined && !isCreating) void create();
      }}
    >
      <TextField
        label={words.name}
        description={words.nameHint}
        value={name}
        onValueChange={setName}
        onBlur={() => setBlurred(true)}
        dirty={name !== ''}
        blurred={blurred}
        valid={name === '' ? undefined : error === undefined}
        error={error}
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
          disabled={error !== undefined}
          loading={isCreating}
        >
          {words.make}
        </Button>
      </div>
    </form>
  );
}
