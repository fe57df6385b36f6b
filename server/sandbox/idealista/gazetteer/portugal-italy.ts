/** As `spain.ts`. */
export const PORTUGAL = `
11|Lisboa|38.7223|-9.1393|5700|22.1|Lisboa,Sintra,Cascais,Oeiras,Loures,Amadora,Odivelas,Vila Franca de Xira,Mafra,Torres Vedras,Ericeira,Estoril
13|Porto|41.1579|-8.6291|3900|17.6|Porto,Vila Nova de Gaia,Matosinhos,Gondomar,Maia,Valongo,Póvoa de Varzim,Vila do Conde,Penafiel,Amarante
15|Setúbal|38.5244|-8.8882|2700|13.8|Setúbal,Almada,Seixal,Barreiro,Montijo,Palmela,Sesimbra,Alcochete,Moita,Grândola
08|Faro|37.0194|-7.9304|3500|14.9|Faro,Albufeira,Loulé,Portimão,Lagos,Tavira,Olhão,Silves,Lagoa,Vila Real de Santo António,Quarteira,Vilamoura
03|Braga|41.5454|-8.4265|2000|10.9|Braga,Guimarães,Barcelos,Vila Nova de Famalicão,Esposende,Fafe
01|Aveiro|40.6405|-8.6538|2300|11.2|Aveiro,Santa Maria da Feira,Espinho,Ovar,Ílhavo,Águeda
06|Coimbra|40.2033|-8.4103|2000|11|Coimbra,Figueira da Foz,Cantanhede,Lousã
10|Leiria|39.7436|-8.8071|1800|9.8|Leiria,Caldas da Rainha,Peniche,Nazaré,Óbidos,Alcobaça,Marinha Grande
14|Santarém|39.2362|-8.6859|1400|8.7|Santarém,Tomar,Torres Novas,Ourém,Almeirim
07|Évora|38.5714|-7.9135|2000|10.6|Évora,Estremoz,Montemor-o-Novo,Reguengos de Monsaraz
02|Beja|38.0151|-7.8632|1300|8.2|Beja,Odemira,Moura
12|Portalegre|39.2967|-7.4285|900|6.3|Portalegre,Elvas,Ponte de Sor
05|Castelo Branco|39.8222|-7.4909|1000|6.9|Castelo Branco,Covilhã,Fundão
09|Guarda|40.5373|-7.2658|900|6.2|Guarda,Seia,Gouveia
18|Viseu|40.6566|-7.9125|1400|8.5|Viseu,Lamego,Tondela
16|Viana do Castelo|41.6918|-8.8345|1700|9.3|Viana do Castelo,Ponte de Lima,Caminha
17|Vila Real|41.3006|-7.7441|1300|8.1|Vila Real,Chaves,Peso da Régua
04|Bragança|41.806|-6.7567|1100|7.4|Bragança,Mirandela,Macedo de Cavaleiros
31|Madeira|32.6669|-16.9241|3300|14.4|Funchal,Câmara de Lobos,Santa Cruz,Machico,Calheta
41|Açores|37.7412|-25.6756|1900|10.2|Ponta Delgada,Angra do Heroísmo,Ribeira Grande,Horta`

export const ITALY = `
RM|Roma|41.9028|12.4964|3600|17.2|Roma,Guidonia Montecelio,Fiumicino,Pomezia,Tivoli,Anzio,Velletri,Civitavecchia,Nettuno,Frascati
MI|Milano|45.4642|9.19|5400|23.1|Milano,Sesto San Giovanni,Cinisello Balsamo,Legnano,Rho,Cologno Monzese,Rozzano,San Donato Milanese,Segrate,Corsico
TO|Torino|45.0703|7.6869|2000|12.1|Torino,Moncalieri,Collegno,Rivoli,Nichelino,Settimo Torinese,Ivrea,Pinerolo,Chieri
NA|Napoli|40.8518|14.2681|2900|14.3|Napoli,Giugliano in Campania,Torre del Greco,Pozzuoli,Casoria,Castellammare di Stabia,Sorrento,Capri,Ischia,Portici
FI|Firenze|43.7696|11.2558|4400|19.6|Firenze,Scandicci,Sesto Fiorentino,Empoli,Campi Bisenzio,Fiesole,Greve in Chianti
BO|Bologna|44.4949|11.3426|3500|17.8|Bologna,Imola,Casalecchio di Reno,San Lazzaro di Savena,Castel Maggiore
VE|Venezia|45.4408|12.3155|3300|14.6|Venezia,Chioggia,San Donà di Piave,Jesolo,Mira,Spinea
GE|Genova|44.4056|8.9463|1700|9.8|Genova,Rapallo,Chiavari,Sestri Levante,Santa Margherita Ligure,Portofino
PA|Palermo|38.1157|13.3615|1400|8.9|Palermo,Bagheria,Monreale,Cefalù,Partinico
CT|Catania|37.5079|15.083|1400|8.8|Catania,Acireale,Misterbianco,Caltagirone,Taormina
BA|Bari|41.1171|16.8719|2200|11.5|Bari,Altamura,Molfetta,Bitonto,Monopoli,Polignano a Mare
LE|Lecce|40.3515|18.175|1500|8.4|Lecce,Nardò,Gallipoli,Otranto
BR|Brindisi|40.6327|17.9418|1300|7.8|Brindisi,Ostuni,Fasano
VR|Verona|45.4384|10.9916|2700|13.4|Verona,Villafranca di Verona,Peschiera del Garda,Bardolino
PD|Padova|45.4064|11.8768|2300|12.5|Padova,Albignasego,Abano Terme,Cittadella
BG|Bergamo|45.6983|9.6773|2600|13.1|Bergamo,Treviglio,Seriate,Dalmine
BS|Brescia|45.5416|10.2118|2200|12.2|Brescia,Desenzano del Garda,Montichiari,Sirmione,Salò
CO|Como|45.8081|9.0852|2800|13.9|Como,Cantù,Bellagio,Erba
VA|Varese|45.8206|8.8251|1700|10.1|Varese,Busto Arsizio,Gallarate,Saronno
MB|Monza e Brianza|45.5845|9.2744|2900|14.1|Monza,Seregno,Lissone,Desio
TS|Trieste|45.6495|13.7768|2300|12|Trieste,Muggia
UD|Udine|46.0711|13.2346|1600|9.5|Udine,Codroipo,Lignano Sabbiadoro
TN|Trento|46.0748|11.1217|3200|13.3|Trento,Rovereto,Riva del Garda,Arco
BZ|Bolzano|46.4983|11.3548|4600|16.2|Bolzano,Merano,Bressanone,Brunico
PR|Parma|44.8015|10.3279|2000|11.2|Parma,Fidenza,Salsomaggiore Terme
MO|Modena|44.6471|10.9252|2300|12.6|Modena,Carpi,Sassuolo
RE|Reggio Emilia|44.6983|10.6312|1800|10.4|Reggio Emilia,Correggio
RA|Ravenna|44.4184|12.2035|2000|10.6|Ravenna,Faenza,Lugo,Cervia
RN|Rimini|44.0678|12.5695|2900|13.2|Rimini,Riccione,Cattolica
PI|Pisa|43.7228|10.4017|2200|11.9|Pisa,Cascina,Pontedera,San Miniato,Volterra
LU|Lucca|43.8429|10.5027|2400|12.3|Lucca,Viareggio,Forte dei Marmi,Camaiore
SI|Siena|43.3188|11.3308|2800|12.4|Siena,Poggibonsi,Montepulciano,San Gimignano
LI|Livorno|43.5485|10.3106|1800|10.2|Livorno,Piombino,Cecina,Portoferraio
PG|Perugia|43.1107|12.3908|1400|8.6|Perugia,Foligno,Assisi,Spoleto,Gubbio
AN|Ancona|43.6158|13.5189|1900|9.6|Ancona,Senigallia,Jesi,Osimo
PE|Pescara|42.4618|14.2161|2000|9.7|Pescara,Montesilvano
SA|Salerno|40.6824|14.7681|2600|11.3|Salerno,Cava de' Tirreni,Amalfi,Positano,Paestum
CA|Cagliari|39.2238|9.1217|2300|12.1|Cagliari,Quartu Sant'Elena,Villasimius,Pula
SS|Sassari|40.7259|8.5557|1500|9.1|Sassari,Alghero,Olbia,Porto Cervo,La Maddalena
RC|Reggio Calabria|38.1113|15.6473|900|6.1|Reggio Calabria,Villa San Giovanni
ME|Messina|38.1938|15.554|1200|7.6|Messina,Milazzo,Lipari
SR|Siracusa|37.0755|15.2866|1300|8.1|Siracusa,Noto,Augusta
RG|Ragusa|36.9269|14.7255|1100|7|Ragusa,Modica,Vittoria
TP|Trapani|38.0176|12.5365|1100|7.2|Trapani,Marsala,Mazara del Vallo,Favignana
LT|Latina|41.4677|12.9037|1700|9.9|Latina,Terracina,Formia,Gaeta,Sperlonga
AO|Aosta|45.7372|7.3206|2300|12.2|Aosta,Courmayeur,Cervinia`
