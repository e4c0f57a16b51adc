import {useMemo} from 'preact/hooks'
import type {MadeTool} from '../../making/studioLink.ts'
import {type TreeRow, treeOf} from '../../making/tree.ts'
import {controlsOf, fieldLabelOf} from '../forms/controls.ts'
import {highlight} from '../forms/highlight.ts'
import type {PageForm} from '../forms/pageForms.ts'
import {Text} from '../parts/text.tsx'
import {Tick, withTick} from '../parts/tick.tsx'
import {Handover} from './handover.tsx'
import {textsFor} from './list/formTool.ts'
import type {Proposal, Words} from './list/proposals.ts'
import type {Trial, Whole} from './list/trials.ts'
import type {MakeProps} from './makeProps.ts'
import {PartFields} from './partFields.tsx'
import {PointButton} from './pointButton.tsx'
import {InputRows, placeShown, USES} from './record/inputRows.tsx'

type ItemProps = MakeProps & {
  tool: Whole
  trial: Trial | undefined
  callAgain: () => void
  words: Words
  changeWords: (words: Words) => void
  /** Adds an element to what it reads. */
  point: (element: Element) => void
  isTicked: boolean
  tick: (isTicked: boolean) => void
  isOpen: boolean
  open: (isOpen: boolean) => void
  handed: (draft: MadeTool, link: string) => void
}

/** A tool that can be made, and what of it a person may change. */
export function ProposalItem(props: ItemProps) {
  const {tool, trial, panel, isOpen} = props
  const {studio, wanted} = panel
  const {name, kind, description, example, leftOut, warning, element, form, recorded} = tool
  const problem = tool.problem ?? trial?.problem
  const address = recorded?.exchange.address
  const {missing} = recorded ?? {}
  return (
    <li class="item" data-proposal={name} data-form={form?.selector} data-request={address}>
      <Tick
        hidden={wanted !== undefined || !studio || tool.problem !== undefined}
        isTicked={props.isTicked}
        tick={props.tick}
      >
        <strong>{name}</strong> <span class="badge">{kind}</span>
      </Tick>
      <p class="facts">{description}</p>
      {example && <p class="facts example">{example}</p>}
      {leftOut && <p class="facts">Left out, because several have the same: {leftOut}</p>}
      {warning && <p class="note warning">{warning}</p>}
      {trial?.left && <p class="note warning">{trial.left}</p>}
      {problem && <p class="problem">{problem}</p>}
      <p class="buttons">
        {element && (
          <button type="button" aria-label={`Look at ${name}`} onClick={() => highlight(element)}>
            Look
          </button>
        )}
        {missing === 'timeline' && address?.startsWith(location.origin) && (
          // It is recorded like those of the page.
          <button
            type="button"
            onClick={() => void fetch(address, {headers: {accept: 'application/json'}}).catch(() => {})}
          >
            Load it again
          </button>
        )}
        {!tool.problem && (
          <button type="button" aria-expanded={isOpen} onClick={() => props.open(!isOpen)}>
            {form && wanted ? 'Use this form' : 'Details'}
          </button>
        )}
      </p>
      {isOpen && !tool.problem && <Details {...props} />}
    </li>
  )
}

function Details(props: ItemProps) {
  const {tool, trial, panel, words, changeWords} = props
  const {form, fields, recorded} = tool
  const parts = words.parts ?? tool.parts ?? []
  const isKnown = panel.wanted || trial
  // Studio can make up for what the request of the page has besides.
  const problem = recorded ? undefined : trial?.problem
  const missing = fields ? (isKnown ? problem : CALLING) : 'Tick what the tool returns.'
  return (
    <>
      {form ? (
        <FormFields form={form} words={words} changeWords={changeWords} />
      ) : (
        <RequestFields proposal={tool} {...{words, changeWords}} />
      )}
      {parts.map((one, at) => (
        <PartFields
          key={one.choices[0]?.selector}
          choices={one.choices}
          part={one.part}
          change={(part) => changeWords({...words, parts: parts.with(at, {...one, part})})}
          remove={parts.length > 1 ? () => changeWords({...words, parts: parts.toSpliced(at, 1)}) : undefined}
        />
      ))}
      {parts.length > 0 && <PointButton isShown isMore picked={props.point} />}
      {!form && fields && <Gets trial={trial} callAgain={props.callAgain} />}
      <Handover {...props} missing={missing} />
    </>
  )
}

const CALLING = 'Calling it once, as an agent would…'

/** What an agent gets. What may change something is sent only when a person says so. */
function Gets({trial, callAgain}: {trial: Trial | undefined; callAgain: () => void}) {
  const {value, isUnsent, problem} = trial ?? {}
  return (
    <>
      <h3>What an agent gets</h3>
      <div role="status">
        {!trial && <p class="facts">{CALLING}</p>}
        {isUnsent && (
          <p>This request may change something, so it is not sent by itself. This is what the page got.</p>
        )}
      </div>
      {trial && !problem && <Text value={value} label="What an agent gets" />}
      {(isUnsent || problem) && (
        <p>
          <button type="button" onClick={callAgain}>
            {isUnsent ? 'Send it now' : 'Send it again'}
          </button>
        </p>
      )}
    </>
  )
}

/** The selector of a form, and what agents read about its fields. */
function FormFields(props: {form: PageForm; words: Words; changeWords: (words: Words) => void}) {
  const {form, words, changeWords} = props
  const {element, selector} = form
  const {texts = textsFor(form)} = words
  const groups = [...Map.groupBy(controlsOf(element), ({name}) => name)]
  return (
    <>
      <code class="selector">{selector}</code>
      <fieldset>
        <legend>What agents read about the fields</legend>
        {groups.map(([name, [first]]) => (
          <div key={name} class="field">
            <label for={`describe-${selector}-${name}`}>{first ? fieldLabelOf(first) : name}</label>
            <input
              id={`describe-${selector}-${name}`}
              value={texts[name] ?? ''}
              placeholder="Only if the label does not say enough"
              onInput={({currentTarget: {value}}) =>
                changeWords({...words, texts: {...texts, [name]: value}})
              }
            />
          </div>
        ))}
      </fieldset>
    </>
  )
}

type Props = {proposal: Proposal; words: Words; changeWords: (words: Words) => void}

/** What a tool sends, and what of an answer it returns. */
function RequestFields({proposal, words, changeWords}: Props) {
  const {inputs = [], recorded} = proposal
  const {sent = [], exchange} = recorded ?? {}
  const answer = exchange?.answer
  const tree = useMemo(() => (typeof answer === 'object' && answer ? treeOf(answer) : undefined), [answer])
  const ticked = words.ticked ?? proposal.ticked ?? []
  return (
    <>
      {inputs.length + sent.length > 0 && (
        <fieldset>
          <legend>What it sends</legend>
          <InputRows
            inputs={words.inputs ?? inputs}
            change={(changed) => changeWords({...words, inputs: changed})}
          />
          {sent.map(({name, value, ...place}) => (
            <div key={name} class="input">
              <span>
                {name} <small>{value ?? placeShown(place)}</small>
              </span>
              <span>{value ? USES.fixed : USES.page}</span>
            </div>
          ))}
        </fieldset>
      )}
      {tree && (
        <fieldset class="tree">
          <legend>What it returns</legend>
          {tree.rows.map((row) => (
            <AnswerRow
              key={row.path}
              row={row}
              isTicked={ticked.includes(row.path)}
              tick={(isTicked) => changeWords({...words, ticked: withTick(ticked, row.path, isTicked)})}
            />
          ))}
          {tree.isCut && <p class="hint">The answer has more values, which are not shown.</p>}
        </fieldset>
      )}
    </>
  )
}

function AnswerRow(props: {row: TreeRow; isTicked: boolean; tick: (isTicked: boolean) => void}) {
  const {path, name, sample, depth, kind} = props.row
  const content = (
    <>
      {name || 'The answer'} <small>{sample}</small>
    </>
  )
  return (
    <div style={{paddingInlineStart: `${depth * 0.9}em`}}>
      {kind === 'value' ? (
        <Tick isTicked={props.isTicked} data-path={path} tick={props.tick}>
          {content}
        </Tick>
      ) : (
        <span>{content}</span>
      )}
    </div>
  )
}
