import {HelpCircleIcon} from '@sanity/icons/HelpCircle'
import {Stack} from '@sanity/ui'
import {useMemo, useState} from 'react'
import type {NavbarProps} from 'sanity'
import {styled} from 'styled-components'
import {StudioDialog} from '../parts/dialog.tsx'
import {Guides, Topics} from '../parts/guides.tsx'
import {Muted} from '../parts/layout.tsx'

/**
 * Hides what leads to Sanity's own services, which know nothing of a lake: managing the project, inviting members,
 * registering Studio, and Sanity's help. Sanity has no setting for it.
 */
const WithoutDeadEnds = styled.div`
  #workspace-menu,
  #menu-button-resources,
  [data-testid='button-resources-menu'],
  a[href*='/manage/project/'] {
    display: none;
  }

  @media (min-width: 900px) {
    [data-testid='studio-navbar'] a[href='/'] {
      align-items: center;
      color: inherit;
      display: flex;
      text-decoration: none;

      &::after {
        content: 'Handrail';
        font: 600 13px sans-serif;
        padding-inline: 8px;
      }
    }
  }
`

/** Names that Sanity's bar shows as icons only. */
const NAMES = {
  "a[href='/']": 'Handrail',
  '#releases-menu': 'Drafts and releases',
  '#user-menu': 'Your account',
  '#create-menu': 'New document',
  "[data-testid='releases-tool-link']": 'Releases',
}

/** Gives names to the buttons of a bar, which Sanity draws again when the window changes. */
function nameButtons(bar: HTMLElement | null) {
  if (bar === null) return undefined
  const name = () => {
    for (const [selector, label] of Object.entries(NAMES))
      bar.querySelector(selector)?.setAttribute('aria-label', label)
  }
  name()
  const observer = new MutationObserver(name)
  observer.observe(bar, {childList: true, subtree: true})
  return () => observer.disconnect()
}

/** The navigation bar of a Studio that edits the documents of a lake. */
export function LakeNavbar(props: NavbarProps) {
  const [isHelping, setHelping] = useState(false)
  const {renderDefault, __internal_actions: actions} = props
  const withHelp = useMemo(() => {
    const help = (location: 'topbar' | 'sidebar') => ({
      icon: HelpCircleIcon,
      location,
      name: `help-${location}`,
      onAction: () => setHelping(true),
      selected: isHelping,
      title: 'Help',
    })
    return [...(actions ?? []), help('topbar'), help('sidebar')]
  }, [actions, isHelping])
  return (
    <>
      <WithoutDeadEnds ref={nameButtons}>
        {renderDefault({...props, __internal_actions: withHelp})}
      </WithoutDeadEnds>
      {isHelping && <HelpDialog onClose={() => setHelping(false)} />}
    </>
  )
}

const TOPICS = [
  [
    'Make a tool',
    'Choose your site in “Overview”, then “Make a tool”, and choose a recipe. Change its texts and what its warnings name, such as an address, then publish it. Form tools need no script: they use a form that is already on your page.',
  ],
  [
    'Connect your website',
    '“Install” in your site shows the line that belongs into your pages, once for all tools.',
  ],
  [
    'Try a tool before you publish it',
    'Choose “Open the page with this draft” in the menu next to “Publish”. The page opens in a new tab, with a panel that shows its tools and calls them. Visitors see no drafts.',
  ],
  [
    'A tool is missing on a page',
    '“On a page” in your site lists every tool for a path, with the reason why it is not offered. The badge at the bottom of a tool’s form says it in short. A page may show the old state for up to a minute after a change.',
  ],
  [
    'Undo a change',
    'Choose “History” in the menu of the form, select an earlier revision, and choose “Revert to revision”. Then publish. A document that was deleted is in “Activity” of your site.',
  ],
  [
    'Stop everything',
    'Choose your site in “Overview”, then “Switch off all tools”. It needs no review. Its pages then have no tools until you switch them on again.',
  ],
] as const

/** Help for editors, and links to the guides that the lake serves: Handrail's documentation has no address of its own. */
function HelpDialog({onClose}: {onClose: () => void}) {
  return (
    <StudioDialog header="Help" id="handrail-help" onClickOutside={onClose} onClose={onClose} width={1}>
      <Stack gap={5}>
        <Topics of={TOPICS} />
        <Guides />
        <Muted>
          <a href="/third-party.txt" rel="noreferrer" target="_blank">
            Licenses of the software that Studio contains
          </a>
        </Muted>
      </Stack>
    </StudioDialog>
  )
}
