import {HelpCircleIcon} from '@sanity/icons/HelpCircle'
import {useMemo, useState} from 'react'
import type {NavbarProps} from 'sanity'
import {styled} from 'styled-components'
import {HelpDialog} from './help.tsx'

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
`

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
      <WithoutDeadEnds>{renderDefault({...props, __internal_actions: withHelp})}</WithoutDeadEnds>
      {isHelping && <HelpDialog onClose={() => setHelping(false)} />}
    </>
  )
}
