import {LaunchIcon} from '@sanity/icons/Launch'
import {LinkIcon} from '@sanity/icons/Link'
import {StopIcon} from '@sanity/icons/Stop'
import {Button, Card, Flex, Stack, Text} from '@sanity/ui'
import {useToast} from '@sanity/ui/toast'
import {type MouseEvent, useMemo, useRef, useState} from 'react'
import {LINK_MINUTES} from '../../schemas/rules/preview.ts'
import {previewLink, type Wanted} from '../../snippet/previewLink.ts'
import {causesOf} from '../install/causes.ts'
import {fetchOpened} from '../install/service.ts'
import {Causes, WatchedNote} from '../install/watchedNote.tsx'
import type {ShownRelease} from '../live/useRelease.ts'
import {useWatched} from '../live/useWatched.ts'
import {useCopy} from '../parts/copyText.tsx'
import {Muted, Note} from '../parts/note.tsx'
import {serviceOrigin} from '../running.ts'
import {MAX_HOURS} from './recentEntries.ts'
import {usePreviewSecret} from './usePreviewSecret.ts'

/** Pages usually show a preview within 7 seconds, and a link works for some minutes. */
const LIMITS = {interval: 2_500, silentAfter: 7_000, endAfter: LINK_MINUTES * 60_000}

type LinksProps = {
  publicId: string
  url: string
  release: ShownRelease | undefined
  wanted?: Wanted | undefined
}

/** What else a person does in the panel. */
function panelUse(wanted: Wanted | undefined): string {
  if (wanted === undefined) return ''
  return `, and in which you ${wanted === 'new tool' ? 'make the tool' : 'choose what is filled in here'}`
}

/** The buttons that open a page with drafts, copy a link to it, and end all previews. */
export function Links({publicId, url, release, wanted}: LinksProps) {
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
