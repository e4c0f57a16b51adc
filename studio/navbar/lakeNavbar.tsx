import {HelpCircleIcon} from '@sanity/icons/HelpCircle'
import {Stack} from '@sanity/ui'
import {useEffect, useMemo, useState} from 'react'
import type {NavbarProps} from 'sanity'
import {styled} from 'styled-components'
import {StudioDialog} from '../parts/dialog.tsx'
import {Guides} from '../parts/guides.tsx'
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
`

/** What Sanity shows as icons only. */
const NAMES = {
  "[data-testid='studio-navbar'] a[href='/']": 'Handrail',
  "[data-testid='studio-navbar'] button:has([data-sanity-icon=menu])": 'Menu',
  '#releases-menu': 'Drafts and releases',
  '#user-menu': 'Your account',
  '#create-menu': 'New document',
  "[data-testid='releases-tool-link']": 'Releases',
  "[data-testid='pane-context-menu-button']": 'More actions',
  "[data-testid='copy-document-actions-button']": 'Copy a link or the ID',
  "a[data-ui='Button']:has([data-sanity-icon=close])": 'Close',
  "a[data-ui='Button']:has([data-sanity-icon=arrow-left])": 'Back',
}

/** Gives names to buttons, which Sanity draws again when the window or the document changes. */
function nameButtons() {
  let frame: number | undefined
  const name = () => {
    frame = undefined
    for (const [selector, label] of Object.entries(NAMES))
      for (const button of document.querySelectorAll(`${selector}:not([aria-label])`))
        button.setAttribute('aria-label', label)
  }
  const observer = new MutationObserver(() => {
    frame ??= requestAnimationFrame(name)
  })
  name()
  observer.observe(document.body, {childList: true, subtree: true})
  return () => {
    observer.disconnect()
    if (frame !== undefined) cancelAnimationFrame(frame)
  }
}

/** The navigation bar of a Studio that edits the documents of a lake. */
export function LakeNavbar(props: NavbarProps) {
  const [isHelping, setHelping] = useState(false)
  const {renderDefault, __internal_actions: actions} = props
  useEffect(nameButtons, [])
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
      <WithoutDeadEnds>{renderDefault({...props, __internal_actions: withHelp})}</WithoutDeadEnds>
      {isHelping && <HelpDialog onClose={() => setHelping(false)} />}
    </>
  )
}

/** Links to the guides that the lake serves: Handrail's documentation has no address of its own. */
function HelpDialog({onClose}: {onClose: () => void}) {
  return (
    <StudioDialog header="Help" id="handrail-help" onClickOutside={onClose} onClose={onClose} width={1}>
      <Stack gap={5}>
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
