/**
 * Real ids, so that the coins which people ask for exist; every number is simulated, at levels that
 * once were true. Each entry: id, symbol, price in USD, circulating supply in millions, name. A
 * price such as `@ethereum*1.2` follows another coin.
 */
export const COIN_TABLE = `
bitcoin btc 104250 19.95 Bitcoin|ethereum eth 3480 120.7 Ethereum|tether usdt 1 183600 Tether|ripple xrp 2.41 60100 XRP
binancecoin bnb 962 137.7 BNB|solana sol 158.4 553 Solana|usd-coin usdc 1 75300 USDC
dogecoin doge 0.1752 151700 Dogecoin|cardano ada 0.5613 36600 Cardano|tron trx 0.2914 94680 TRON
staked-ether steth @ethereum 8.5 Lido Staked Ether|wrapped-bitcoin wbtc @bitcoin 0.127 Wrapped Bitcoin
wrapped-steth wsteth @ethereum*1.22 3.3 Wrapped stETH|wrapped-eeth weeth @ethereum*1.08 2.4 Wrapped eETH
hyperliquid hype 39.6 270.8 Hyperliquid|chainlink link 15.48 696.8 Chainlink|bitcoin-cash bch 505 19.94 Bitcoin Cash
stellar xlm 0.2812 32060 Stellar|ethena-usde usde 1 8500 Ethena USDe|usds usds 1 7900 USDS|weth weth @ethereum 2.1 WETH
leo-token leo 9.18 922 LEO Token|litecoin ltc 101.7 76.5 Litecoin|sui sui 1.96 3680 Sui
avalanche-2 avax 17.35 426.6 Avalanche|hedera-hashgraph hbar 0.1748 42470 Hedera|monero xmr 386 18.45 Monero
shiba-inu shib 0.00000948 589240000 Shiba Inu|zcash zec 502 16.3 Zcash|the-open-network ton 2.07 2510 Toncoin
dai dai 1 5360 Dai|crypto-com-chain cro 0.1204 37060 Cronos|polkadot dot 3.12 1630 Polkadot
coinbase-wrapped-btc cbbtc @bitcoin 0.073 Coinbase Wrapped BTC|mantle mnt 1.27 3250 Mantle
bittensor tao 352 10.3 Bittensor|uniswap uni 7.62 630 Uniswap|near near 2.66 1278 NEAR Protocol
aave aave 193 15.25 Aave|bitget-token bgb 3.86 700 Bitget Token
world-liberty-financial wlfi 0.1402 24670 World Liberty Financial|internet-computer icp 6.13 538 Internet Computer
okb okb 121 21 OKB|pepe pepe 0.00000571 420690000 Pepe|ethena ena 0.3184 7440 Ethena
ethereum-classic etc 15.7 153.9 Ethereum Classic|aptos apt 3.01 731 Aptos|ondo-finance ondo 0.6204 3159 Ondo
worldcoin-wld wld 0.7406 2300 Worldcoin|polygon-ecosystem-token pol 0.1688 10540 POL|arbitrum arb 0.2532 5560 Arbitrum
algorand algo 0.1707 8800 Algorand|cosmos atom 2.93 478 Cosmos Hub|vechain vet 0.0168 85990 VeChain
kaspa kas 0.0489 26900 Kaspa|render-token render 2.31 518 Render|sky sky 0.0557 23200 Sky
gatechain-token gt 12.2 82 Gate|filecoin fil 2.05 705 Filecoin|official-trump trump 7.44 200 Official Trump
pump-fun pump 0.00402 354000 Pump.fun|kucoin-shares kcs 11.7 129.6 KuCoin|flare-networks flr 0.0152 76800 Flare
xdce-crowd-sale xdc 0.0519 18000 XDC Network|quant-network qnt 91.6 12.07 Quant
jupiter-exchange-solana jup 0.3351 3170 Jupiter|sei-network sei 0.1706 6250 Sei
first-digital-usd fdusd 1 1040 First Digital USD|paypal-usd pyusd 1 2780 PayPal USD|story-2 ip 3.66 330 Story
bonk bonk 0.0000122 82500000 Bonk|pudgy-penguins pengu 0.0151 62860 Pudgy Penguins|nexo nexo 1.03 1000 NEXO
injective-protocol inj 7.21 100 Injective|virtual-protocol virtual 1.31 656 Virtuals Protocol
optimism op 0.4102 1900 Optimism|celestia tia 0.9412 833 Celestia|immutable-x imx 0.4203 1990 Immutable
fetch-ai fet 0.2911 2290 Artificial Superintelligence Alliance|aerodrome-finance aero 0.8831 905 Aerodrome Finance
lido-dao ldo 0.8203 893 Lido DAO|blockstack stx 0.3911 1810 Stacks|morpho morpho 1.96 353 Morpho
curve-dao-token crv 0.4612 1420 Curve DAO|spx6900 spx 0.6701 931 SPX6900|dash dash 71.8 12.5 Dash
floki floki 0.0000632 9550000 FLOKI|the-graph grt 0.0621 10600 The Graph|tezos xtz 0.5621 1064 Tezos
kaia kaia 0.0901 6200 Kaia|pyth-network pyth 0.1002 5750 Pyth Network|dogwifcoin wif 0.4611 998 dogwifhat
ethereum-name-service ens 13.1 37.9 Ethereum Name Service|iota iota 0.1312 4180 IOTA|starknet strk 0.1622 4560 Starknet
conflux-token cfx 0.0891 5150 Conflux|syrup syrup 0.4201 1140 Maple Finance|pendle pendle 2.61 169 Pendle
theta-token theta 0.4712 1000 Theta Network|raydium ray 1.36 268 Raydium|jasmycoin jasmy 0.00861 49400 JasmyCoin
binance-staked-sol bnsol @solana*1.09 10 Binance Staked SOL|jito-staked-sol jitosol @solana*1.24 14 Jito Staked SOL
rocket-pool-eth reth @ethereum*1.14 0.36 Rocket Pool ETH
coinbase-wrapped-staked-eth cbeth @ethereum*1.11 0.13 Coinbase Wrapped Staked ETH
mantle-staked-ether meth @ethereum*1.08 0.24 Mantle Staked Ether|gala gala 0.00981 46300 GALA
the-sandbox sand 0.1961 2460 The Sandbox|flow flow 0.2401 1620 Flow|zksync zk 0.0511 7260 ZKsync
maker mkr 1540 0.82 Maker|decentraland mana 0.2212 1920 Decentraland|jito-governance-token jto 0.8411 391 Jito
telcoin tel 0.00511 95000 Telcoin|bitcoin-cash-sv bsv 22.1 19.9 Bitcoin SV|fartcoin fartcoin 0.3121 1000 Fartcoin
helium hnt 2.31 186 Helium|neo neo 4.72 70.5 NEO|compound-governance-token comp 37.4 9.6 Compound
ecash xec 0.0000121 19900000 eCash|dydx-chain dydx 0.2911 810 dYdX|eigenlayer eigen 0.7712 330 EigenCloud
walrus-2 wal 0.2311 1480 Walrus|arweave ar 4.11 65.6 Arweave|apecoin ape 0.3311 903 ApeCoin
kinetiq-staked-hype khype @hyperliquid 12 Kinetiq Staked HYPE|wormhole w 0.0731 4900 Wormhole
beldex bdx 0.0881 7470 Beldex|fasttoken ftn 2.21 433 Fasttoken|plasma xpl 0.2711 1800 Plasma
aster-2 aster 1.03 2020 Aster|aethir ath 0.0271 14700 Aethir|havven snx 0.7312 343 Synthetix
thorchain rune 0.8231 351 THORChain|chiliz chz 0.0321 10100 Chiliz|axie-infinity axs 1.34 168 Axie Infinity
elrond-erd-2 egld 9.61 29 MultiversX|grass grass 0.3611 320 Grass|brett brett 0.0192 9910 Brett
popcat popcat 0.1302 980 Popcat|mog-coin mog 0.000000412 390000000 Mog Coin
book-of-meme bome 0.00101 68900 BOOK OF MEME|cat-in-a-dogs-world mew 0.00131 88900 cat in a dogs world
turbo turbo 0.00211 69000 Turbo|baby-doge-coin babydoge 0.00000000071 167000000000 Baby Doge Coin
zora zora 0.0571 4400 Zora|berachain-bera bera 1.62 130 Berachain|layerzero zro 1.51 111 LayerZero
ether-fi ethfi 0.9011 540 Ether.fi|pancakeswap-token cake 2.41 345 PancakeSwap|1inch 1inch 0.1861 1400 1inch
convex-finance cvx 2.01 98 Convex Finance|frax frax 1 280 Legacy Frax Dollar|true-usd tusd 1 494 TrueUSD
usdd usdd 1 560 USDD|gho gho 1 350 GHO|ripple-usd rlusd 1 1020 Ripple USD|usd1-wlfi usd1 1 2900 USD1
tether-gold xaut 4010 0.37 Tether Gold|pax-gold paxg 4015 0.33 PAX Gold|usual-usd usd0 1 560 Usual USD
safe safe 0.2211 620 Safe|nervos-network ckb 0.00311 48000 Nervos Network|mina-protocol mina 0.1112 1260 Mina Protocol
oasis-network rose 0.0211 7500 Oasis|zilliqa zil 0.00671 19600 Zilliqa|qtum qtum 1.66 105 Qtum
0x zrx 0.1731 848 0x Protocol|basic-attention-token bat 0.2012 1495 Basic Attention|iotex iotx 0.0122 9440 IoTeX
ravencoin rvn 0.00941 15700 Ravencoin|kava kava 0.1311 1082 Kava|celo celo 0.2211 590 Celo
ankr ankr 0.00911 10000 Ankr Network|yearn-finance yfi 4610 0.0339 yearn.finance|sushi sushi 0.4711 277 Sushi
balancer bal 0.7911 68 Balancer|gnosis gno 131 2.64 Gnosis|rocket-pool rpl 3.21 22 Rocket Pool
loopring lrc 0.0661 1370 Loopring|enjincoin enj 0.0391 1890 Enjin Coin|livepeer lpt 4.91 46 Livepeer
skale skl 0.0152 6130 SKALE|band-protocol band 0.4511 166 Band Protocol|ocean-protocol ocean 0.2611 210 Ocean Protocol
golem glm 0.1911 1000 Golem|audius audio 0.0411 1380 Audius|storj storj 0.1611 144 Storj
siacoin sc 0.00211 56000 Siacoin|digibyte dgb 0.00621 17900 DigiByte|decred dcr 24.1 17.1 Decred
horizen zen 12.9 17.4 Horizen|icon icx 0.0811 1080 ICON|ontology ont 0.0891 928 Ontology|waves waves 0.8211 118 Waves
lisk lsk 0.2711 208 Lisk|nano xno 0.8411 133.2 Nano|holotoken hot 0.000711 177000 Holo|woo-network woo 0.0371 1900 WOO
api3 api3 0.6311 127 API3|uma uma 0.9611 89 UMA|numeraire nmr 11.4 7.4 Numeraire|fantom ftm 0.1711 2800 Fantom
sonic-3 s 0.1312 3700 Sonic|moonbeam glmr 0.0412 1010 Moonbeam|astar astr 0.0171 8200 Astar|kusama ksm 11.2 17 Kusama
ronin ron 0.3211 690 Ronin|illuvium ilv 9.71 9.3 Illuvium|gods-unchained gods 0.0811 400 Gods Unchained
stepn gmt 0.0271 3100 GMT|my-neighbor-alice alice 0.2711 100 My Neighbor Alice
yield-guild-games ygg 0.1211 680 Yield Guild Games|beam-2 beam 0.00511 51000 Beam|ponke ponke 0.0731 555 PONKE
gigachad-2 giga 0.00711 9600 Gigachad|ai16z ai16z 0.0571 1100 ai16z|arkham arkm 0.3511 680 Arkham
altlayer alt 0.0191 4900 AltLayer|manta-network manta 0.1111 460 Manta Network|dymension dym 0.1411 430 Dymension
axelar axl 0.1911 1100 Axelar|osmosis osmo 0.1011 740 Osmosis|terra-luna lunc 0.0000381 5490000 Terra Luna Classic
terra-luna-2 luna 0.0911 710 Terra|bittorrent btt 0.000000511 986000000 BitTorrent|just jst 0.0341 9900 JUST
sun-token sun 0.0221 19100 Sun Token|mx-token mx 2.21 93 MX|trust-wallet-token twt 1.21 416 Trust Wallet
safepal sfp 0.4111 500 SafePal|amp-token amp 0.00271 84000 Amp|ssv-network ssv 5.31 14 SSV Network
gmx gmx 10.4 10.3 GMX|joe joe 0.1011 370 Joe|radix xrd 0.00211 12800 Radix|verus-coin vrsc 1.41 79.5 Verus
ergo erg 0.6911 81.5 Ergo|pirate-chain arrr 0.3811 196 Pirate Chain|firo firo 2.71 18.2 Firo
vertcoin vtc 0.0711 71 Vertcoin|peercoin ppc 0.3711 30 Peercoin|namecoin nmc 0.9211 14.7 Namecoin
eos eos 0.2611 1550 EOS|vaulta a 0.2631 1590 Vaulta|hive hive 0.1211 510 Hive|steem steem 0.0811 520 Steem
nem xem 0.00131 9000 NEM|symbol xym 0.00511 6300 Symbol|wax waxp 0.0131 4400 WAX
reserve-rights-token rsr 0.00511 59000 Reserve Rights|akash-network akt 0.6811 280 Akash Network
oraichain-token orai 1.41 15 Oraichain|nosana nos 0.4911 48 Nosana|io io 0.2311 230 io.net
gitcoin gtc 0.1711 96 Gitcoin|constellation-labs dag 0.0231 3500 Constellation|hashflow hft 0.0411 620 Hashflow
biconomy bico 0.0711 980 Biconomy|space-id id 0.1011 430 SPACE ID|hooked-protocol hook 0.0711 250 Hooked Protocol
open-campus edu 0.1911 440 Open Campus|pepecoin-2 pepecoin 0.1111 109 PepeCoin|myro myro 0.0131 940 Myro
coq-inu coq 0.000000311 69000000 Coq Inu|wen-4 wen 0.0000131 727000 Wen`
