import {HelpCircleIcon} from '@sanity/icons/HelpCircle'
import {Stack} from '@sanity/ui'
import {useMemo, useState} from 'react'
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

/** Names that Sanity's bar shows as icons only. */
const NAMES = {
  "a[href='/']": 'Handrail',
  'button:has([data-sanity-icon=menu])': 'Menu',
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
