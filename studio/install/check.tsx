import {Box, Button, Flex, TextInput} from '@sanity/ui'
import {type FormEvent, useMemo, useState} from 'react'
import {Note, Section} from './parts.tsx'
import {fetchServed, type Served} from './service.ts'
import {useAnswer} from './useAnswer.ts'

type CheckProps = {
  origin: string
  publicId: string
  /** Undefined: the site is not published. A new revision triggers a new request. */
  publishedRevision: string | undefined
}

/** Fetches from the service what it serves for a page, in the same way as that page. */
export function Check({origin, publicId, publishedRevision}: CheckProps) {
  const [typed, setTyped] = useState('/')
  const [asked, setAsked] = useState({path: '/'})
  const answer = useAnswer(
    useMemo(
      () =>
        publishedRevision === undefined
          ? undefined
          : (signal: AbortSignal) => fetchServed(origin, publicId, asked.path, signal),
      [origin, publicId, publishedRevision, asked],
    ),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A new object even for the same path: it triggers a new request.
    setAsked({path: typed})
  }
  return (
    <Section
      title="What a page receives"
      text={`The config that the service at ${origin} returns for a page at this path.`}
    >
      <form onSubmit={submit}>
        <Flex gap={2}>
          <Box flex={1}>
            <TextInput
              aria-label="Path of a page"
              data-testid="install-path"
              fontSize={1}
              onChange={(event) => setTyped(event.currentTarget.value)}
              value={typed}
            />
          </Box>
          <Button data-testid="install-check" fontSize={1} mode="ghost" text="Check" type="submit" />
        </Flex>
      </form>
      <Box data-testid="install-answer">
        {publishedRevision === undefined ? (
          <Note tone="caution">
            This site is not published yet. Publish it under Settings: until then, pages get no tools.
          </Note>
        ) : answer.state === 'waiting' ? (
          <Note>Loading…</Note>
        ) : answer.state === 'failed' ? (
          <Note tone="critical">{answer.problem}</Note>
        ) : (
          <Note tone={isEmpty(answer.value) ? 'caution' : 'positive'}>
            {wordsFor(asked.path, answer.value)}
          </Note>
        )}
      </Box>
    </Section>
  )
}

function isEmpty({tools, formTools}: Served): boolean {
  return tools.length + formTools.length === 0
}

function wordsFor(path: string, {tools, formTools}: Served): string {
  const parts = [counted(tools, 'tool'), counted(formTools, 'form tool')].filter((part) => part !== '')
  return parts.length === 0
    ? `The service works, but has no tools for ${path}: no published and enabled tool matches this path.`
    : `The service returns ${parts.join(' and ')} for ${path}.`
}

function counted(names: string[], what: string): string {
  if (names.length === 0) return ''
  return `${names.length} ${what}${names.length === 1 ? '' : 's'} (${names.join(', ')})`
}
