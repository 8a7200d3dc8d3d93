import { Badge, Button, Panel } from '@horae-tooling/design/parts';
import { useRef } from 'preact/hooks';
import type { SimPreset, SimRefusal } from '../../../wire/sim.js';

/** The scenario as text. Faults name their line; a click goes there. */
export function ScenarioEditor(props: {
  text: string;
  faults: SimRefusal['faults'];
  presets: readonly SimPreset[];
  onText: (text: string) => void;
  onPreset: (text: string) => void;
}) {
  const { text, faults, presets } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const lines = text.split('\n');
  const faulty = new Set(faults.map(({ line }) => line));
  return (
    <Panel
      title="Scenario"
      class="wide-5"
      actions={
        <span class="row">
          <Badge tone={faults.length === 0 ? 'good' : 'bad'}>
            {faults.length === 0 ? 'no faults' : `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`}
          </Badge>
          {presets.map((preset) => (
            <Button key={preset.name} small onClick={() => props.onPreset(preset.text)}>
              {preset.name}
            </Button>
          ))}
        </span>
      }
    >
      <div class="editor">
        <ol class="editor-lines mono" aria-hidden="true">
          {lines.map((_, i) => (
            <li key={i} class={faulty.has(i + 1) ? 'editor-fault' : ''}>
              {i + 1}
            </li>
          ))}
        </ol>
        <textarea
          ref={area}
          class="mono"
          aria-label="Scenario, YAML"
          value={text}
          rows={lines.length}
          cols={Math.max(40, ...lines.map((line) => line.length))}
          spellcheck={false}
          wrap="off"
          onInput={(event) => props.onText(event.currentTarget.value)}
        />
      </div>
      <div aria-live="polite">
        <ul class="faults">
          {faults.map((fault) => (
            <li key={`${fault.path}${fault.line}`}>
              <Button
                small
                kind="danger"
                disabled={fault.line === null}
                onClick={() => goTo(area.current, fault.line ?? 1)}
              >
                {fault.line === null ? 'somewhere' : `line ${fault.line}`}
              </Button>
              <span class="small">
                <code>{fault.path === '' ? 'the document' : fault.path}</code> expects {fault.expected}, got{' '}
                {fault.received}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}

function goTo(area: HTMLTextAreaElement | null, line: number): void {
  if (area === null) return;
  const lines = area.value.split('\n');
  const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
}
