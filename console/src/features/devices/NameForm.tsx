import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/action/Button.tsx';
import { messageOf } from '../../ui/form/message-of.ts';
import { TextField } from '../../ui/form/TextField.tsx';

/** The form of something that has a name and a secret; it keeps the name and says why where it could not be made. */
export function NameForm({
  label,
  description,
  initial = '',
  required,
  problemOf,
  verb,
  onCreate,
}: {
  label: string;
  description: string;
  initial?: string;
  required?: true;
  problemOf: (name: string) => string | undefined;
  verb: string;
  onCreate: (name: string) => Promise<void>;
}) {
  const [name, setName] = useState(initial);
  const [dirty, setDirty] = useState(false);
  const [blurred, setBlurred] = useState(false);
  const [isCreating, setIsCreating] = useState(false);
  const [failure, setFailure] = useState<string>();
  const error = problemOf(name);
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
        {...{ label, description, required, dirty, blurred, error }}
        value={name}
        onValueChange={(text) => {
          setName(text);
          setDirty(true);
        }}
        onBlur={() => setBlurred(true)}
        valid={name === '' && required === undefined ? undefined : error === undefined}
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
          {verb}
        </Button>
      </div>
    </form>
  );
}
