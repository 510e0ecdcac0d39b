import { useState } from 'react';
import { StatusDot } from '../../ui/badge/StatusDot.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { Combobox } from '../../ui/form/Combobox.tsx';
import { ErrorSummary } from '../../ui/form/ErrorSummary.tsx';
import { FilterChips } from '../../ui/form/FilterChips.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { SearchField } from '../../ui/form/SearchField.tsx';
import { Select } from '../../ui/form/Select.tsx';
import { Switch } from '../../ui/form/Switch.tsx';
import { TextField } from '../../ui/form/TextField.tsx';
import { Row } from './Row.tsx';
import { Specimen } from './Specimen.tsx';

const repositories = ['firmware', 'edge-runtime', 'field-tools', 'telemetry'].map((name, index) => ({
  value: name,
  label: name,
  hint: `r_${index + 1}Kq…7Fd`,
}));
const roles = [
  { value: 'owner', label: 'Owner' },
  { value: 'member', label: 'Member' },
];

/** Fields in every tone, and every other control that takes a value. */
export function InputSpecimens() {
  return (
    <Specimen title="Inputs" meta="red when changed, left and invalid; green when valid">
      <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        <TextSpecimens />
        <ChoiceSpecimens />
        <StateSpecimens />
      </div>
      <FilterSpecimens />
    </Specimen>
  );
}

function TextSpecimens() {
  const [email, setEmail] = useState('mara@harbour.example');
  const [password, setPassword] = useState('');
  const [name, setName] = useState('');
  return (
    <>
      <TextField
        label="Email"
        required
        value={email}
        onValueChange={setEmail}
        dirty
        blurred
        valid
        autoComplete="off"
      />
      <PasswordField
        label="Password"
        required
        value={password}
        onValueChange={setPassword}
        dirty
        blurred
        valid={false}
        error="Please enter your password"
        autoComplete="off"
      />
      <TextField
        label="Name"
        required={false}
        value={name}
        onValueChange={setName}
        placeholder="crane-04-gantry"
        description="Shown in lists and in the log."
        autoComplete="off"
      />
      <TextField label="Serial" value="KC-04-2291" onValueChange={() => undefined} disabled />
    </>
  );
}

function ChoiceSpecimens() {
  const [repository, setRepository] = useState<string | null>(null);
  const [role, setRole] = useState<string | null>('member');
  const [isRemembered, setIsRemembered] = useState(true);
  const [isAccepting, setIsAccepting] = useState(true);
  return (
    <>
      <Combobox
        label="Repository"
        options={repositories}
        value={repository}
        onValueChange={setRepository}
        placeholder="None"
      />
      <Select label="Role" options={roles} value={role} onValueChange={setRole} />
      <div className="flex flex-col gap-2">
        <Checkbox label="Remember me" checked={isRemembered} onCheckedChange={setIsRemembered} />
        <Checkbox
          label="Send me news"
          checked={!isRemembered}
          onCheckedChange={() => setIsRemembered(!isRemembered)}
        />
        <Checkbox
          label="I agree to the terms"
          checked={false}
          onCheckedChange={() => undefined}
          dirty
          blurred
          valid={false}
          error="Please agree to the Terms of Service and Privacy Policy."
        />
      </div>
      <div className="flex flex-col gap-2">
        <Switch
          label="Auto Accept"
          checked={isAccepting}
          onCheckedChange={setIsAccepting}
          description="Devices with this token are let in without being asked about."
        />
        <Switch label="Off" checked={false} onCheckedChange={() => undefined} />
        <Switch
          label="Not yours"
          checked
          onCheckedChange={() => undefined}
          disabledReason="Only an owner may do this"
        />
      </div>
    </>
  );
}

/** Invalid and disabled choices, and the error summary of a form. */
function StateSpecimens() {
  const nothing = () => undefined;
  return (
    <>
      <Select
        label="Role"
        required
        options={roles}
        value={null}
        onValueChange={nothing}
        dirty
        blurred
        valid={false}
        error="Please choose a role."
      />
      <div className="flex flex-col gap-2">
        <Select label="Role" options={roles} value="owner" onValueChange={nothing} disabled />
        <Checkbox label="Not to be changed" checked onCheckedChange={nothing} disabled />
      </div>
      <ErrorSummary
        title="2 fields need your attention"
        errors={[
          { name: 'name', message: 'Please enter your full name.' },
          { name: 'email', message: 'Please enter a valid email address.' },
        ]}
        onSelect={nothing}
      />
    </>
  );
}

function FilterSpecimens() {
  const [filter, setFilter] = useState('');
  const [status, setStatus] = useState<'all' | 'connected' | 'disconnected'>('all');
  return (
    <Row caption="Filter">
      <SearchField
        label="Filter the showcase"
        placeholder="Filter by name, ID or property"
        value={filter}
        onValueChange={setFilter}
        className="w-full sm:w-75"
      />
      <FilterChips
        label="Status"
        value={status}
        onValueChange={setStatus}
        chips={[
          { value: 'all', label: 'All', count: 148 },
          {
            value: 'connected',
            label: 'Connected',
            count: 143,
            icon: (
              <span className="text-ok">
                <StatusDot />
              </span>
            ),
          },
          { value: 'disconnected', label: 'Disconnected', count: 5, icon: <StatusDot isHollow /> },
        ]}
      />
    </Row>
  );
}
