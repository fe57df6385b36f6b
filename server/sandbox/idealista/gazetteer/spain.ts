/**
 * Provinces with their towns, the capital first: code, name, latitude and longitude of the capital,
 * euros per square metre there for sale and for rent, towns. Prices are of the right order only.
 */
export const SPAIN = `
28|Madrid|40.4168|-3.7038|5300|21.5|Madrid,Móstoles,Alcalá de Henares,Fuenlabrada,Leganés,Getafe,Alcorcón,Torrejón de Ardoz,Parla,Alcobendas,Las Rozas de Madrid,San Sebastián de los Reyes,Pozuelo de Alarcón,Coslada,Rivas-Vaciamadrid,Valdemoro,Majadahonda,Collado Villalba,Aranjuez,Arganda del Rey,Boadilla del Monte,Pinto,Colmenar Viejo,Tres Cantos,San Lorenzo de El Escorial,Galapagar,Villaviciosa de Odón
08|Barcelona|41.3874|2.1686|4900|20.8|Barcelona,L'Hospitalet de Llobregat,Badalona,Terrassa,Sabadell,Mataró,Santa Coloma de Gramenet,Sant Cugat del Vallès,Cornellà de Llobregat,Sant Boi de Llobregat,Rubí,Manresa,Vilanova i la Geltrú,Castelldefels,Viladecans,Granollers,Sitges,El Prat de Llobregat,Mollet del Vallès,Esplugues de Llobregat,Gavà,Igualada,Vic,Vilafranca del Penedès
46|Valencia|39.4699|-0.3763|3000|15.2|Valencia,Torrent,Gandia,Paterna,Sagunto,Mislata,Burjassot,Alzira,Xàtiva,Cullera,Oliva,Ontinyent,Manises,Sueca
41|Sevilla|37.3891|-5.9845|2600|13.6|Sevilla,Dos Hermanas,Alcalá de Guadaíra,Utrera,Mairena del Aljarafe,Écija,La Rinconada,Tomares,Carmona,Bormujos
29|Málaga|36.7213|-4.4214|3500|16.1|Málaga,Marbella,Mijas,Fuengirola,Vélez-Málaga,Torremolinos,Benalmádena,Estepona,Rincón de la Victoria,Ronda,Nerja,Antequera,Manilva
48|Vizcaya|43.263|-2.935|3500|15.9|Bilbao,Barakaldo,Getxo,Portugalete,Santurtzi,Basauri,Leioa,Durango,Bermeo
20|Guipúzcoa|43.3183|-1.9812|5900|19.4|Donostia-San Sebastián,Irun,Errenteria,Eibar,Zarautz,Hondarribia,Tolosa,Hernani
01|Álava|42.8467|-2.6716|2700|13.1|Vitoria-Gasteiz,Llodio,Amurrio,Laguardia
50|Zaragoza|41.6488|-0.8891|2100|11.8|Zaragoza,Calatayud,Utebo,Ejea de los Caballeros,Tarazona
03|Alicante|38.3452|-0.481|2500|12.4|Alicante,Elche,Torrevieja,Orihuela,Benidorm,Dénia,Jávea,Calpe,Altea,Alcoy,San Vicente del Raspeig,Elda,Villena,Santa Pola,Villajoyosa,Guardamar del Segura,Moraira
30|Murcia|37.9922|-1.1307|1500|9.6|Murcia,Cartagena,Lorca,Molina de Segura,Águilas,San Javier,Mazarrón,Yecla,San Pedro del Pinatar
07|Balears (Illes)|39.5696|2.6502|4900|18.2|Palma de Mallorca,Calvià,Manacor,Llucmajor,Inca,Marratxí,Alcúdia,Sóller,Pollença,Eivissa,Santa Eulària des Riu,Maó,Ciutadella de Menorca,Formentera
35|Las Palmas|28.1235|-15.4363|2600|13.8|Las Palmas de Gran Canaria,Telde,San Bartolomé de Tirajana,Arrecife,Puerto del Rosario,Mogán,Teguise,La Oliva
38|Santa Cruz de Tenerife|28.4636|-16.2518|2400|12.9|Santa Cruz de Tenerife,San Cristóbal de La Laguna,Arona,Adeje,Puerto de la Cruz,La Orotava,Granadilla de Abona,Los Llanos de Aridane
18|Granada|37.1773|-3.5986|2300|11.2|Granada,Motril,Armilla,Almuñécar,Maracena,Baza,Loja,Monachil
14|Córdoba|37.8882|-4.7794|1700|9.4|Córdoba,Lucena,Puente Genil,Montilla,Priego de Córdoba
11|Cádiz|36.5271|-6.2886|2800|11.9|Cádiz,Jerez de la Frontera,Algeciras,San Fernando,El Puerto de Santa María,Chiclana de la Frontera,La Línea de la Concepción,Sanlúcar de Barrameda,Conil de la Frontera,Tarifa
21|Huelva|37.2614|-6.9447|1500|8.9|Huelva,Lepe,Ayamonte,Almonte,Isla Cristina,Punta Umbría
23|Jaén|37.7796|-3.7849|1200|7.4|Jaén,Linares,Úbeda,Andújar,Martos,Baeza
04|Almería|36.834|-2.4637|1600|9.3|Almería,Roquetas de Mar,El Ejido,Níjar,Vera,Mojácar
33|Asturias|43.3619|-5.8494|1800|9.9|Oviedo,Gijón,Avilés,Siero,Langreo,Mieres,Llanes,Ribadesella
39|Cantabria|43.4623|-3.81|2400|11.4|Santander,Torrelavega,Castro-Urdiales,Camargo,Laredo,Suances
15|A Coruña|43.3623|-8.4115|2600|11|A Coruña,Santiago de Compostela,Ferrol,Oleiros,Arteixo,Carballo
36|Pontevedra|42.431|-8.6444|1900|9.8|Pontevedra,Vigo,Vilagarcía de Arousa,Sanxenxo,Redondela,Cangas,Marín
27|Lugo|43.0097|-7.556|1200|7.1|Lugo,Monforte de Lemos,Viveiro,Ribadeo
32|Ourense|42.3358|-7.8639|1600|7.6|Ourense,O Barco de Valdeorras,Verín
31|Navarra|42.8125|-1.6458|3000|13.2|Pamplona,Tudela,Barañáin,Burlada,Estella-Lizarra,Zizur Mayor
26|La Rioja|42.465|-2.4456|1900|9.8|Logroño,Calahorra,Arnedo,Haro
22|Huesca|42.1362|-0.4087|1600|8.9|Huesca,Jaca,Monzón,Barbastro,Sabiñánigo
44|Teruel|40.3456|-1.1065|1200|7|Teruel,Alcañiz,Albarracín
25|Lleida|41.6176|0.62|1400|8.7|Lleida,Balaguer,Tàrrega,La Seu d'Urgell,Vielha
17|Girona|41.9794|2.8214|2700|12.8|Girona,Figueres,Blanes,Lloret de Mar,Salt,Palafrugell,Roses,Cadaqués,Olot,Platja d'Aro
43|Tarragona|41.1189|1.2445|2000|10.4|Tarragona,Reus,Salou,Cambrils,El Vendrell,Tortosa,Calafell,Valls
12|Castellón|39.9864|-0.0513|1500|9.1|Castellón de la Plana,Vila-real,Benicàssim,Peñíscola,Oropesa del Mar,Vinaròs
02|Albacete|38.9943|-1.8585|1600|8.3|Albacete,Hellín,Villarrobledo,Almansa
13|Ciudad Real|38.9848|-3.9274|1200|7.2|Ciudad Real,Puertollano,Tomelloso,Alcázar de San Juan,Valdepeñas
16|Cuenca|40.0704|-2.1374|1300|7.3|Cuenca,Tarancón,San Clemente
19|Guadalajara|40.6337|-3.1674|1900|9.9|Guadalajara,Azuqueca de Henares,Sigüenza
45|Toledo|39.8628|-4.0273|1700|8.9|Toledo,Talavera de la Reina,Illescas,Seseña
05|Ávila|40.6566|-4.6818|1200|7.5|Ávila,Arévalo,Arenas de San Pedro
09|Burgos|42.344|-3.6969|2000|9.8|Burgos,Miranda de Ebro,Aranda de Duero
24|León|42.5987|-5.5671|1600|8.2|León,Ponferrada,Astorga
34|Palencia|42.0096|-4.5288|1500|8|Palencia,Aguilar de Campoo
37|Salamanca|40.9701|-5.6635|2100|10.1|Salamanca,Béjar,Ciudad Rodrigo
40|Segovia|40.9429|-4.1088|1800|9.7|Segovia,Cuéllar,El Espinar
42|Soria|41.7636|-2.4649|1500|8.4|Soria,Almazán
47|Valladolid|41.6523|-4.7245|2000|9.9|Valladolid,Laguna de Duero,Medina del Campo
49|Zamora|41.5035|-5.7446|1200|7.2|Zamora,Benavente,Toro
06|Badajoz|38.8794|-6.9707|1400|7.6|Badajoz,Mérida,Don Benito,Almendralejo,Zafra
10|Cáceres|39.4753|-6.3724|1400|7.7|Cáceres,Plasencia,Trujillo,Navalmoral de la Mata
51|Ceuta|35.8894|-5.3213|2100|11.3|Ceuta
52|Melilla|35.2923|-2.9381|1900|10.8|Melilla`
