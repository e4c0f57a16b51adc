import {LaunchIcon} from '@sanity/icons/Launch'
import {LinkIcon} from '@sanity/icons/Link'
import {StopIcon} from '@sanity/icons/Stop'
import {Button, Card, Flex, Stack, Text} from '@sanity/ui'
import {useToast} from '@sanity/ui/toast'
import {type MouseEvent, useEffect, useMemo, useRef, useState} from 'react'
import {useCurrentUser, useWorkspace} from 'sanity'
import {LINK_MINUTES} from '../../schemas/preview.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {previewLink, type Wanted} from '../../snippet/previewLink.ts'
import {causesOf} from '../install/causes.ts'
import {fetchOpened} from '../install/service.ts'
import {Causes, WatchedNote} from '../install/watchedNote.tsx'
import {useLiveDocuments} from '../live/liveDocuments.ts'
import {useAnswer} from '../live/useAnswer.ts'
import {type ShownRelease, useContent} from '../live/useContent.ts'
import {useWatched} from '../live/useWatched.ts'
import {useCopy} from '../parts/copyText.tsx'
import {Muted, Note} from '../parts/layout.tsx'
import {serviceOrigin} from '../running.ts'
import {browserItems} from '../saving/storage.ts'
import {MAX_HOURS} from './recentEntries.ts'
import {createSecret, deleteSecret, endPreviews, isValid, secretsOf} from './secrets.ts'
import {startedPreviews} from './started.ts'

/** Pages usually show a preview within 7 seconds, and a link works for some minutes. */
const LIMITS = {interval: 2_500, silentAfter: 7_000, endAfter: LINK_MINUTES * 60_000}

type LinksProps = {
  publicId: string
  url: string
  release: ShownRelease | undefined
  wanted?: Wanted | undefined
  onShown?: (() => void) | undefined
}

/** What else a person does in the panel. */
function panelUse(wanted: Wanted | undefined): string {
  if (wanted === undefined) return ''
  return `, and in which you ${wanted === 'new tool' ? 'make the tool' : 'choose what is filled in here'}`
}

/** The buttons that open a page with drafts, copy a link to it, and end all previews. */
export function Links({publicId, url, release, wanted, onShown}: LinksProps) {
  const {secret, problem, use, count, end} = usePreviewSecret(publicId, release)
  const [openedCode, setOpenedCode] = useState<string>()
  const opened = useWatched(
    useMemo(
      () =>
        openedCode === undefined
          ? undefined
          : (signal: AbortSignal) => fetchOpened(publicId, openedCode, signal),
      [publicId, openedCode],
    ),
    LIMITS,
  )
  const isShown = opened?.state === 'seen'
  useEffect(() => {
    if (isShown) onShown?.()
  }, [isShown, onShown])
  const toast = useToast()
  const box = useRef<HTMLDivElement>(null)
  const link = secret && previewLink(url, publicId, secret.code, wanted)
  const endAll = async () => {
    try {
      await end()
      toast.push({status: 'success', title: 'The previews are ended'})
      setOpenedCode(undefined)
      // The button with the focus disappears.
      box.current?.focus()
    } catch {
      toast.push({status: 'error', title: 'The previews could not be ended. Try again.'})
    }
  }
  return (
    <Stack gap={4} ref={box} style={{outline: 'none'}} tabIndex={-1}>
      {problem === undefined ? (
        <Buttons
          link={link}
          onOpen={() => setOpenedCode(secret?.code)}
          use={use}
          // Only this browser knows the field, and a colleague makes a tool in a preview of their own.
          hasCopy={wanted === undefined}
        />
      ) : (
        <Note tone="critical">{problem}</Note>
      )}
      {opened !== undefined && (
        <Stack data-testid="preview-opened" gap={4}>
          <WatchedNote
            of={opened}
            seen={(origin) => `The page at ${origin} shows the preview.`}
            silent="No page has shown this preview yet. Check the tab that was opened:"
            waiting="Waiting for the page to show the preview…"
          />
          {opened.state === 'silent' && <Causes of={causesOf(publicId, serviceOrigin)} />}
        </Stack>
      )}
      <Muted>
        The page opens in a new tab, with a panel that shows the tools with{' '}
        {release === undefined ? 'all drafts of this site' : `the release “${release.title}”`}
        {panelUse(wanted)}. Visitors do not see them. Each link works once, within {LINK_MINUTES} minutes. The
        preview then lasts for one hour, and as long as Studio is open in this browser, but not longer than{' '}
        {MAX_HOURS} hours.
      </Muted>
      {count > 0 && (
        <Card border padding={3} radius={2}>
          <Flex align="center" gap={3} wrap="wrap">
            <Stack flex={1} style={{minWidth: '14em'}}>
              <Text size={1}>
                {count === 1
                  ? 'A preview of this site that you started, or a link to one, works.'
                  : `${count} previews of this site that you started, or links to them, work.`}{' '}
                “End previews” ends {count === 1 ? 'it' : 'them'}, for your colleagues too. Their pages go
                back to what visitors get.
              </Text>
            </Stack>
            <Button
              data-testid="preview-end"
              icon={StopIcon}
              mode="ghost"
              onClick={() => void endAll()}
              text="End previews"
              tone="critical"
            />
          </Flex>
        </Card>
      )}
    </Stack>
  )
}

/** @param use returns false if the link was used before: there will be another one in a moment. */
function Buttons(props: {
  link: string | undefined
  hasCopy: boolean
  onOpen: () => void
  use: () => boolean
}) {
  const {link, hasCopy, onOpen, use} = props
  const copy = useCopy()
  const open = (event: MouseEvent) => {
    if (use()) onOpen()
    else event.preventDefault()
  }
  return (
    <Flex gap={2} wrap="wrap">
      {link === undefined ? (
        <Button disabled icon={LaunchIcon} text="Open the page" />
      ) : (
        <Button
          as="a"
          data-testid="preview-open"
          href={link}
          icon={LaunchIcon}
          onAuxClick={(event) => {
            // The middle button opens it too.
            if (event.button === 1) open(event)
          }}
          onClick={open}
          rel="noopener noreferrer"
          target="_blank"
          text="Open the page"
        />
      )}
      {hasCopy && (
        <Button
          data-testid="preview-copy"
          disabled={link === undefined}
          icon={LinkIcon}
          mode="ghost"
          onClick={() => {
            if (link !== undefined && use()) void copy(link)
          }}
          text="Copy a link for a colleague"
        />
      )}
    </Flex>
  )
}

/** Milliseconds after which a link that was not used is replaced by another one: its time would soon be over. */
const REPLACE_AFTER = 5 * 60_000

/**
 * A secret for the next link to the pages of a site, and the previews that the editor has started of it. The secret is
 * created before it is needed, so that a click can open the link at once: browsers block windows that open later. A secret
 * whose link is not used is deleted.
 */
function usePreviewSecret(publicId: string, release: ShownRelease | undefined) {
  const client = useContent()
  const userId = useCurrentUser()?.id ?? ''
  const {basePath} = useWorkspace()
  const owner = useMemo(() => ({publicId, userId}), [publicId, userId])
  const studioUrl = new URL(basePath, location.origin).href
  const answer = useAnswer(
    useMemo(
      () => (signal: AbortSignal) =>
        createSecret(client, owner, studioUrl, release, signal).catch(failWithWords),
      [client, owner, studioUrl, release],
    ),
    // A link stays where it is until there is another one.
    {subject: `${publicId} ${release?.name}`},
  )
  const {reload} = answer
  const secret = answer.state === 'answered' ? answer.value : undefined
  const id = secret?.id
  const used = useRef(new Set<string>())
  useEffect(() => {
    if (id === undefined) return undefined
    const timer = setTimeout(reload, REPLACE_AFTER)
    return () => {
      clearTimeout(timer)
      // If it cannot be deleted, it expires after an hour. No link has it.
      if (!used.current.has(id)) deleteSecret(client, id).catch(() => {})
    }
  }, [client, id, reload])

  const live = useLiveDocuments(useMemo(() => secretsOf(owner), [owner]))
  const documents = live.state === 'ready' ? live.documents : []
  const valid = documents.filter(({_updatedAt}) => isValid(textOf(_updatedAt)))
  return {
    /** Undefined: there is none yet. */
    secret,
    /** Why there is none, in words for an editor. */
    problem: answer.state === 'failed' ? answer.problem : undefined,
    /**
     * Call this when the link is opened or copied: its secret is kept then, and another one is made for the next link.
     * Returns false if the link was used before: it works once.
     */
    use: (): boolean => {
      if (id === undefined || used.current.has(id)) return false
      used.current.add(id)
      startedPreviews.add({id}, browserItems)
      reload()
      return true
    },
    /** The number of links of this editor for this site that are valid. */
    count: valid.filter(({_id}) => _id !== id).length,
    /** Makes all of them invalid, and the secret too: another one is made. */
    end: async () => {
      await endPreviews(client, owner)
      if (id !== undefined) used.current.add(id)
      reload()
    },
  }
}

function failWithWords(error: unknown): never {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  throw new Error(
    status === 401 || status === 403
      ? 'You may not change content here, so you cannot make a link. Ask a colleague for one.'
      : 'Studio could not make a link. Check your connection, and open this dialog again.',
    {cause: error},
  )
}
