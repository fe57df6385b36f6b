import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { describeMeter, Meter, MeterLegend } from './meter'

describe('a meter', () => {
  it('says what is spent, reserved and left', () => {
    expect(describeMeter({ whole: 1500, spent: 300, reserved: 80 })).toBe(
      '300 of 1\u202f500 credits spent, 80 reserved, 1\u202f120 left',
    )
  })

  it('of a balance says what is reserved and left', () => {
    expect(describeMeter({ whole: 100, reserved: 20 })).toBe('20 reserved, 80 left')
  })

  it('has nothing left when more is spent than the whole, as after a lower budget', () => {
    expect(describeMeter({ whole: 100, spent: 130 })).toBe('130 of 100 credits spent, 0 reserved, 0 left')
    const html = renderToStaticMarkup(<Meter label="Budget" whole={100} spent={130} />)
    expect(html).toContain('width:100%')
    expect(html).not.toContain('meter-left')
  })

  it('has a legend that names the same three parts', () => {
    const text = renderToStaticMarkup(<MeterLegend whole={100} spent={30} reserved={20} />).replaceAll(/<[^>]+>/g, ' ')
    expect(text.replaceAll(/\s+/g, ' ').trim()).toBe('30 spent 20 reserved 50 left')
  })
})
