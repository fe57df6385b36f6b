/** Made-up places that tests know. */

export type SimulatedPlace = {
  locationId: string
  name: string
  kind: string
  divisible: boolean
  country: string
  ads: number
}

const place = (
  country: string,
  code: string,
  name: string,
  kind: string,
  divisible: boolean,
  ads: number,
): SimulatedPlace => ({
  locationId: `0-EU-${country.toUpperCase()}-${code}`,
  name,
  kind,
  divisible,
  country,
  ads,
})

export const simulatedPlaces: SimulatedPlace[] = [
  place('es', '90', 'Alboraya de Arriba', 'Provincia', true, 620),
  place('es', '90-01-001', 'Puerto Claro, Alboraya de Arriba', 'Municipio', true, 95),
  place('es', '90-01-001-01', 'Casco Viejo (Centro), Puerto Claro', 'Distrito', false, 45),
  place('es', '90-01-001-02', 'El Ensanche, Puerto Claro', 'Distrito', false, 50),
  place('es', '90-01-002', 'Villamolino, Alboraya de Arriba', 'Municipio', false, 7),
  place('es', '90-01-003', 'Valdenada, Alboraya de Arriba', 'Municipio', false, 0),
  place('pt', '91', 'Distrito de Rio Manso', 'Distrito', true, 130),
  place('pt', '91-02', 'Vila Serena, Rio Manso', 'Concelho', false, 60),
  place('it', '92', 'Provincia di Montefinto', 'Provincia', true, 210),
  place('it', '92-03', 'Borgo Lieto, Montefinto', 'Comune', false, 80),
]
