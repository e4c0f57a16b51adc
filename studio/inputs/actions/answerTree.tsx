import {Box, Card, Stack, Text} from '@sanity/ui'
import {useEffect, useId, useMemo, useState} from 'react'
import {plannedOf, returnedOf} from '../../../actions/onPage.ts'
import {jsonIn} from '../../../common/json.ts'
import {proposeResult} from '../../../making/proposeResult.ts'
import {type ProposedResult, resultOf, treeOf} from '../../../making/tree.ts'
import {taken} from '../../../schemas/document.ts'
import {requestResult} from '../../../schemas/fields/request.ts'
import type {Fields} from '../../../schemas/record.ts'
import {Field, Tick} from '../../parts/fields.tsx'
import {Muted, Note, Strong} from '../../parts/layout.tsx'

/** What agents get is shown up to this length. */
const SHOWN = 1_500

/** Lets an editor tick in an answer of the server what a tool returns. The answer itself is not kept. */
export function AnswerTree({onChoose, request}: {onChoose: (result: Fields) => void; request: Fields}) {
  const [text, setText] = useState('')
  const [ticked, setTicked] = useState<readonly string[]>([])
  const answer = useMemo(() => jsonIn(text) ?? undefined, [text])
  const paste = (pasted: string) => {
    setText(pasted)
    const found = jsonIn(pasted) ?? undefined
    if (found === undefined) return
    const {method, address} = request
    const path = typeof address === 'string' ? address.replace(/^https?:\/\/[^/]*|[?#].*/g, '') : ''
    choose(tickedIn(proposeResult(found, typeof method === 'string' ? {method, path} : undefined)))
  }
  const choose = (paths: readonly string[]) => {
    setTicked(paths)
    const result = resultOf(paths)
    if (result !== undefined) onChoose(taken(requestResult.members ?? [], {...result}))
  }
  const toggle = (path: string) =>
    choose(ticked.includes(path) ? ticked.filter((one) => one !== path) : [...ticked, path])
  return (
    <Stack data-testid="answer-tree" gap={3}>
      <Field
        hint="Copy what the server answers, from the address in a new tab, or from the network tools of your browser. It is not kept."
        label="An answer of the server"
        onChange={paste}
        rows={4}
        spellCheck={false}
        value={text}
      />
      {text.trim() !== '' && answer === undefined && (
        <Note tone="caution">
          This is not JSON. Copy all of the answer, from its first bracket to its last.
        </Note>
      )}
      {answer !== undefined && <Rows answer={answer} onToggle={toggle} ticked={ticked} />}
      {answer !== undefined && <Preview answer={answer} ticked={ticked} />}
    </Stack>
  )
}

function Rows(props: {answer: unknown; ticked: readonly string[]; onToggle: (path: string) => void}) {
  const {answer, ticked, onToggle} = props
  const {rows, isCut} = useMemo(() => treeOf(answer), [answer])
  const id = useId()
  return (
    <Stack gap={4}>
      <Strong id={id}>What agents get</Strong>
      <Stack aria-labelledby={id} as="ul" gap={3} style={{maxHeight: '22em', overflowY: 'auto'}}>
        {rows.map(({path, name, sample, depth, kind}) => (
          <Box as="li" key={path} style={{paddingLeft: `${Math.max(depth, 0) * 1.25}em`}}>
            {kind === 'value' ? (
              <Tick checked={ticked.includes(path)} onChange={() => onToggle(path)}>
                {name} <span style={{opacity: 0.7}}>{sample}</span>
              </Tick>
            ) : (
              <Muted>
                {name === '' ? 'The answer' : name} {sample}
              </Muted>
            )}
          </Box>
        ))}
      </Stack>
      {isCut && <Note>The answer has more than is shown here.</Note>}
    </Stack>
  )
}

const NO_PARAMETERS = '{"type": "object", "properties": {}}'

function Preview({answer, ticked}: {answer: unknown; ticked: readonly string[]}) {
  const [text, setText] = useState('')
  const result = useMemo(() => resultOf(ticked), [ticked])
  useEffect(() => {
    if (result === undefined) return
    let isShown = true
    const planned = plannedOf({
      action: 'request',
      request: {address: '/', result},
      inputSchema: NO_PARAMETERS,
    })
    void returnedOf(planned, {}, answer).then((got) => isShown && setText(JSON.stringify(got, null, 1)))
    return () => {
      isShown = false
    }
  }, [answer, result])
  if (result === undefined) return <Note tone="caution">Tick what agents get: now it is nothing.</Note>
  return (
    <Card border overflow="auto" padding={3} radius={2}>
      <Text as="pre" data-testid="answer-preview" size={0}>
        {text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}
      </Text>
    </Card>
  )
}

/** The rows of a tree that a result has. */
function tickedIn(result: ProposedResult): string[] {
  if (result.kind !== 'list' && result.kind !== 'object') return []
  const start = result.kind === 'list' ? `${result.path}[]` : result.path
  if (result.members.length === 0) return [result.path]
  return result.members.map(({path}) =>
    [start, path].filter((part) => part !== '').join(path.startsWith('[') ? '' : '.'),
  )
}
