import { type Agent, toolsOfAgent } from './shape'

export const realEstateAgent: Agent = {
  id: 'real_estate',
  label: 'Real estate',
  about: 'finds and compares homes, offices and land for sale or rent in Spain, Portugal and Italy',
  words:
    'real estate,apartment,apartments,flat,flats,house,houses,home,homes,rent,rental,property,properties,square metres,square meters,bedroom,bedrooms,estate agency,listing,listings,for sale,for rent,to rent,piso,alquiler,land plot'.split(
      ',',
    ),
  instructions:
    'You are the real-estate agent. Find the location id first, refine it where it is divisible, then search once with the filters the goal names. Give prices with currency, sizes in square metres, and the listing of each claim.',
  uses: toolsOfAgent('real_estate'),
}
