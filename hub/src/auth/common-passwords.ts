/**
 * 1900 of the passwords that people choose most, in lower case: a selection by hand of what breaches have made known, not an
 * exact ranking. Those under 8 characters, most of any ranking, are left out, since they are refused for their length.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
password 12345678 123456789 1234567890 password1 iloveyou princess1 rockyou1 sunshine football baseball superman
starwars computer corvette mercedes michelle maverick victoria midnight jennifer trustno1 jordan23 liverpool princess
whatever samantha michael1 danielle password123 password12 password1234 passw0rd p@ssw0rd p@ssword pa55word
qwertyuiop qwerty123 qwerty12 qwerty1234 qwerty12345 1q2w3e4r 1q2w3e4r5t 1qaz2wsx zaq12wsx qazwsxedc 1qazxsw2
qwer1234 asdfghjkl asdfasdf asdf1234 zxcvbnm1 zxcvbnm123 qweasdzxc qwe123qwe 123qweasd 123qwe123 q1w2e3r4 q1w2e3r4t5
qwertyui 11111111 00000000 88888888 12341234 11223344 87654321 987654321 0987654321 9876543210 12344321 123123123
121212121 12121212 123321123 147258369 159357123 741852963 789456123 123654789 147852369 789789789 456456456
654321654 012345678 0123456789 111222333 112233445566 1234512345 123456123 123456654321 1234554321 11112222 22222222
33333333 44444444 55555555 66666666 77777777 99999999 999999999 111111111 1111111111 000000000 0000000000 555555555
666666666 777777777 10101010 20202020 13131313 69696969 12345679 123456780 1234567891 12345678910 123456789a
123456789q a123456789 a12345678 abc12345 abcd1234 abcd12345 abcdefgh abcdefg1 abcdefghi abc123456 abc123abc 123abc123
1234abcd 12345abc 123456abc aa123456 aa12345678 aaaaaaaa aaa111aaa a1b2c3d4 a1b2c3d4e5 a1s2d3f4 1a2b3c4d asd123asd
asdasdasd asd12345 asdqwe123 qweqweqwe qwe12345 qwerasdf qazwsx123 qazwsx12 1qaz2wsx3edc 1qaz@wsx !qaz2wsx
1q2w3e4r5t6y q2w3e4r5 zxc12345 zxcasdqwe zxczxczxc wsxedcrf poiuytrewq lkjhgfdsa mnbvcxz1 poiuytre 1234qwer
12345qwert qwert12345 12qwaszx qwaszx12 1q1q1q1q iloveyou1 iloveyou2 iloveyou12 iloveyou123 iloveu123 iloveme1
iloveme2 ilovegod iloveyou! loveyou1 loveme123 lovelove loverboy lovergirl lovebug1 lovers123 mylove123 truelove
forever1 together friends1 friendship bestfriend sweetheart princess12 princess123 babygirl babygirl1 babygirl12
babyboy1 beautiful beautiful1 pretty123 sweetie1 sweetpea cupcakes chocolate chocolate1 cookies1 cookie123 strawberry
buttercup honeybee honey123 sugar123 angel123 angels123 angelica sunshine1 sunshine12 sunflower sunshine123 rainbow1
rainbow123 butterfly butterfly1 blossom1 flowers1 flower123 orchid12 football1 football12 football123 baseball1
baseball12 basketball basketball1 softball softball1 volleyball hockey12 hockey123 soccer12 soccer123 soccer10
swimming gymnastics wrestling wrestler skateboard snowboard surfing1 running1 cheerleader cheerleader1 champion
champions tennis123 golfgolf golfer12 rugby123 quarterback touchdown barcelona barcelona1 realmadrid juventus1
chelsea1 chelsea123 chelseafc arsenal1 arsenal123 liverpool1 liverpool123 everton1 manchester manchester1 manunited
manutd123 celtic123 rangers1 rangers123 steelers steelers1 cowboys1 packers1 raiders1 lakers24 lakers123 yankees1
yankees2 redsox04 dodgers1 eagles12 giants12 broncos1 patriots bulldogs bulldog1 wildcats wildcat1 panthers panther1
gators12 longhorn redskins seahawks dolphins dolphin1 tottenham newcastle benfica1 flamengo superman1 superman12
batman123 spiderman spiderman1 ironman1 wolverine avengers starwars1 startrek1 skywalker darkside darthvader vader123
masterchief halo1234 pokemon1 pokemon12 pokemon123 pikachu1 charizard digimon1 naruto12 naruto123 sasuke12 dragonball
dragonballz gohan123 vegeta12 minecraft minecraft1 minecraft123 callofduty warcraft warcraft1 starcraft
worldofwarcraft counterstrike runescape runescape1 playstation playstation3 nintendo nintendo1 gamecube xbox3600
xbox1234 finalfantasy metallica metallica1 slipknot slipknot1 slipknot666 nirvana1 greenday greenday1 eminem12
eminem123 linkinpark linkinpark1 ironmaiden megadeth acdc1234 pinkfloyd ledzeppelin radiohead deftones coldplay
beatles1 onedirection justinbieber justin123 jonasbrothers hannahmontana twilight twilight1 harrypotter harrypotter1
hogwarts gryffindor hermione dumbledore voldemort lordoftherings gandalf1 aragorn1 legolas1 frodo123 simpsons
simpson1 southpark mickeymouse mickey12 mickey123 minnie12 tinkerbell tinkerbell1 winniethepooh spongebob spongebob1
scoobydoo scoobydoo2 snoopy12 garfield garfield1 hellokitty hello123 hellohello hello1234 hello12345 helloworld
goodbye1 welcome1 welcome12 welcome123 welcome2 welcome! letmein1 letmein123 letmein2 letmein! letmein12 opensesame
changeme changeme1 changeme123 changeit default1 temporary temp1234 temppass newpass1 newpassword mypassword
mypassword1 yourpassword thepassword password2 password3 password4 password5 password6 password7 password8 password9
password0 password00 password01 password10 password11 password13 password21 password22 password23 password99
password69 password! password1! password12! password123! password@123 passwords passwort passwort1 passw0rd1
passw0rd! passw0rd123 p@ssw0rd1 p@ssw0rd123 p@55w0rd pass1234 pass12345 pass123456 passpass password2020 password2021
password2022 password2023 password2024 password2025 admin123 admin1234 admin12345 admin123456 adminadmin
administrator administrator1 admin@123 adminpass admin2020 root1234 rootroot toor1234 system32 superuser sysadmin
manager1 operator oracle123 mysql123 postgres postgres1 database test1234 test12345 testtest testing1 testing123
test123456 tester12 testpass guest123 guestguest user1234 username username1 demo1234 demodemo sample123 example1
student1 student123 teacher1 teacher123 schools1 college1 university internet internet1 computer1 computer12
computer123 laptop12 desktop1 windows1 windows7 windows10 windows98 windowsxp microsoft microsoft1 google123 google12
facebook facebook1 facebook123 myspace1 myspace123 youtube1 youtube123 instagram twitter1 linkedin linkedin1 yahoo123
hotmail1 hotmail123 gmail123 apple123 apple1234 samsung1 samsung123 samsung12 nokia123 motorola blackberry
blackberry1 iphone12 iphone123 android1 android123 linux123 ubuntu12 debian12 michelle1 michelle12 jennifer1
jennifer12 jessica1 jessica12 jessica123 ashley12 ashley123 amanda12 amanda123 nicole12 nicole123 danielle1 brittany
brittany1 stephanie stephanie1 samantha1 elizabeth elizabeth1 victoria1 vanessa1 veronica veronica1 patricia
patricia1 margaret christina christina1 christine christine1 kimberly kimberly1 melissa1 rebecca1 rebecca12 rachel12
hannah12 hannah123 madison1 abigail1 alexandra alexandra1 alexandria isabella isabella1 gabriela gabriella gabriel1
natalie1 natasha1 caroline caroline1 catherine katherine kathleen katrina1 monica12 angelina angelina1 jasmine1
jasmine12 jasmine123 brianna1 savannah savannah1 destiny1 destiny12 heather1 heather12 lindsay1 lauren12 lauren123
bethany1 chelsea12 courtney courtney1 kathryn1 marianne virginia valentina valentin valentine fernanda alejandra
alejandro alejandro1 francisco francisco1 guadalupe esperanza margarita mariposa estrella estrella1 princesa
princesa1 teamo123 tequiero tequiero1 amorcito amormio1 miamor12 corazon1 bonita12 chiquita hermosa1 chocolate2
michael12 michael123 michael2 jordan12 jordan123 jordan01 matthew1 matthew12 matthew123 joshua12 joshua123 andrew12
andrew123 daniel12 daniel123 daniel01 anthony1 anthony12 anthony123 christopher christopher1 christian christian1
nicholas nicholas1 jonathan jonathan1 benjamin benjamin1 alexander alexander1 alexande william1 william12 charles1
charlie1 charlie12 charlie123 charlie2 thomas12 thomas123 robert12 robert123 richard1 richard12 edward12 george12
george123 patrick1 patrick12 brandon1 brandon12 brandon123 justin12 austin12 austin123 dakota12 tyler123 dylan123
cameron1 cameron12 jackson1 jackson5 zachary1 samuel12 samuel123 gabriel12 victor12 hunter12 hunter123 vincent1
maxwell1 frederick fernando fernando1 roberto1 ricardo1 eduardo1 antonio1 leonardo leonardo1 giovanni giovanni1
sebastian sebastian1 santiago santiago1 mauricio cristian cristian1 cristiano ronaldo7 ronaldo1 ronaldo123 cristiano7
messi123 beckham7 beckham23 rooney10 gerrard8 torres09 drogba11 ronaldinho jackass1 jessica2 jennifer2 tiffany1
tiffany12 monkey12 monkey123 monkey01 monkey11 monkeys1 dragon12 dragon123 dragon01 dragon99 dragons1 tiger123
tigers12 tigger12 tigger123 tigger01 tiggers1 lion1234 lionking lionheart eagle123 falcon12 falcons1 hawkeye1
wolfpack wolf1234 wolfgang horses12 horse123 mustang1 mustang12 mustang5 stallion mustangs puppies1 puppy123 doggie12
dogs1234 doggy123 kittycat kitty123 kittens1 cats1234 cat12345 catdog123 fishing1 fishing123 hunting1 bigfish1
goldfish penguin1 penguin12 penguins elephant elephant1 giraffe1 zebra123 turtle12 turtle123 froggy12 bunny123
rabbit12 hamster1 chicken1 chicken12 chicken123 duckling buffalo1 bigdaddy bigdaddy1 bigdog12 bigboy12 bigred12
bigblack badboy12 badboy123 badgirl1 bitch123 bitches1 fuckyou1 fuckyou2 fuckyou12 fuckyou123 fuckoff1 fuckoff123
fuckfuck motherfucker asshole1 asshole12 bullshit bullshit1 shithead dickhead blowjob1 bigdick1 bigcock1 bigtits1
sexygirl sexygirl1 sexyboy1 sexymama sexylady sexybitch sexy1234 sexy12345 sexysexy hotgirls hotstuff hottie12
hottie123 playboy1 playboy12 playgirl pimpin12 gangster gangster1 gangsta1 thuglife hiphop12 marijuana marihuana
cannabis smokeweed weed4200 weed1234 stoner420 420blaze cocacola cocacola1 pepsi123 redbull1 budlight budweiser
heineken guinness jackdaniels whiskey1 tequila1 vodka123 coffee12 snickers snickers1 skittles skittles1 starburst
butterfinger pizza123 cheese12 cheese123 cheesecake peanut12 pepper12 pepper123 ginger12 ginger123 pumpkin1 pumpkin12
banana12 banana123 bananas1 orange12 orange123 oranges1 cherry12 cherry123 peaches1 lemonade purple12 purple123
purple01 yellow12 yellow123 blue1234 blueblue blue12345 bluebird blueberry blueeyes redrose1 redneck1 green123
greenbay greenday12 black123 blackcat blackjack blackie1 blackrose blackbird blackhawk blackman silver12 silver123
silverado golden12 goldeneye goldberg diamond1 diamond12 diamond123 diamonds sapphire crystal1 crystal12 mercedes1
mercedesbenz porsche1 porsche911 ferrari1 ferrari123 lamborghini corvette1 camaro69 mustang69 chevrolet chevelle
silverado1 harley12 harley123 harleydavidson kawasaki yamaha12 yamahar1 suzuki12 honda123 toyota12 nissan12
hondacivic bmw12345 subaru12 jeepster cadillac peterbilt kenworth trucker1 racing12 nascar24 nascar88 dale1234
earnhardt summer12 summer123 summer01 summer99 summer08 summer2020 summer2021 summer2022 summer2023 summer2024
summertime winter12 winter123 winter2020 winter2021 winter2022 winter2023 winter2024 spring12 spring123 spring2020
spring2021 spring2022 spring2023 spring2024 autumn12 autumn123 autumn2023 autumn2024 january1 february february1
november november1 december december1 december12 september september1 october1 october10 october12 august12 august123
monday123 tuesday1 thursday saturday sunday123 birthday birthday1 christmas christmas1 halloween halloween1 holidays
vacation newyork1 newyork123 newyork12 california california1 losangeles chicago1 chicago12 houston1 houston12
dallas12 dallas123 florida1 florida12 texas123 michigan michigan1 colorado arizona1 virginia1 carolina carolina1
georgia1 alabama1 tennessee kentucky kentucky1 oklahoma montana1 montana16 washington washington1 brooklyn brooklyn1
lasvegas hollywood hollywood1 america1 american american1 australia australia1 canada12 canada123 england1 england12
england123 scotland scotland1 ireland1 ireland12 germany1 deutschland frankreich france123 italia12 portugal
portugal1 brasil12 brasil123 brazil123 argentina argentina1 colombia colombia1 mexico12 mexico123 mexico10 puertorico
puertorico1 honduras guatemala venezuela ecuador1 philippines pilipinas indonesia malaysia singapore thailand
pakistan pakistan1 pakistan123 india123 india1234 hindustan russia123 slovakia polska12 polska123 istanbul turkiye1
galatasaray fenerbahce besiktas jesus123 jesus1234 jesuschrist jesuslives jesus777 jesusfreak christ12 christ123
jehovah1 godisgood godislove godbless blessed1 blessing blessings faith123 heaven12 heaven123 hallelujah allah123
muhammad mohammed mohamed1 bismillah krishna1 ganesh12 saibaba1 sairam12 freedom1 freedom12 freedom123 liberty1
success1 success123 victory1 winner12 winner123 lucky123 lucky777 luckydog lucky1234 fortuna1 million1 money123
money1234 moneymoney dollars1 bigmoney cash1234 business business1 marketing security security1 secret12 secret123
secret1234 secrets1 private1 private123 access14 access12 access123 accessdenied master12 master123 master01 masters1
killer12 killer123 killer01 killers1 hacker12 hacker123 shadow12 shadow123 shadow01 shadow11 shadow13 ghost123
phantom1 phoenix1 phoenix12 vampire1 vampires werewolf zombie12 zombies1 demon123 devil666 satan666 lucifer1
lucifer666 hellfire hell1234 inferno1 warrior1 warriors samurai1 ninja123 ninjas12 assassin pirates1 pirate12
captain1 soldier1 military marines1 usmc1775 semperfi airforce airborne army1234 navyseal rangers12 trooper1 commando
fireman1 firefighter fire1234 firebird police12 police911 doctor12 engineer engineer1 designer scientist musicman
music123 music1234 musiclover guitar12 guitar123 guitarist drummer1 drums123 trumpet1 trombone saxophone violin12
dancer12 dancer123 dancing1 dance123 ballerina hiphop123 rocknroll rock1234 rockstar rockstar1 rockon12 punkrock
heavymetal blink182 sublime1 limpbizkit tupac123 2pac1234 snoopdogg lilwayne lilwayne1 50cent12 britney1 madonna1
shakira1 rihanna1 beyonce1 selena12 michaeljackson elvis123 sinatra1 marley12 bobmarley nirvana12 scorpion scorpion1
scorpio1 capricorn aquarius sagittarius gemini12 taurus12 leo12345 pisces12 virgo123 libra123 mustafa1 ibrahim1
abdullah fatima12 mahmoud1 einstein newton12 galileo1 columbus napoleon hannibal spartan1 spartans spartan117
titanic1 gladiator excalibur merlin12 merlin123 wizard12 wizards1 genesis1 exodus12 matrix12 matrix123 terminator
predator predator1 alien123 aliens12 starfish startrek enterprise voyager1 stargate stargate1 galactica apollo11
apollo13 challenger discovery columbia atlantis thunder1 thunder12 thunder123 lightning hurricane tornado1 stormy12
snowball snowball1 snowflake snowman1 iceman12 iceman123 iceberg1 blizzard avalanche mountain mountains riverside
river123 ocean123 oceans11 beach123 beaches1 seaside1 paradise paradise1 tropical hawaii50 hawaii12 aloha123 sunset12
sunrise1 moonlight moonlight1 moonbeam midnight1 midnight12 starlight stardust universe galaxy12 infinity infinity1
eternity eternal1 destiny123 serenity serenity1 patience grateful harmony1 precious precious1 treasure pleasure
innocent naughty1 kisskiss kissme12 kisses12 hugsandkisses giggles1 smiley12 smiley123 smile123 happy123 happy1234
happyday happiness happyfeet laughing sleeping nothing1 nothing2 whatever1 whatever12 whocares whoknows anything
something everything everyone nobody12 someone1 remember remember1 forget12 forgetit dontforget idontknow idunno12
ihateyou ihateyou1 iamcool1 imcool12 imthebest iamtheone iamgod12 number12 numberone fourtwenty thirteen sixteen16
eighteen twenty20 seven777 777777778 a1234567 a7777777 q1234567 q12345678 z1234567 z12345678 zz123456 qq123456
qq123456789 w1234567 s1234567 d1234567 asd123456 qwe123456 zxc123456 woaini1314 woaini520 5201314520 1314520520
5203344520 woaini123 wang1234 147147147 147896325 159159159 159753159 159753456 258258258 258456123 321321321
321654987 357159357 369258147 369369369 741741741 753159753 753951456 789654123 852456852 951753951 963852741
963963963 987987987 999888777 111222333444 123789456 123456987 123454321 12345654321 123123321 12312312 123412345
1234567a 12345678a 1234567q 12345678q 123456aa 123456ab 123456qq 123456as 123456qwe 123456qwerty 1234567qwe
qwerty123456 qwerty1! qwerty123! qwerty2020 qwerty01 qwerty11 qwerty13 qwerty69 qwerty99 qwertyuiop1 qwertyuiop123
qwertyqwerty qwertyasdf qwertyuio qwertz123 azerty123 azertyuiop azerty12 motdepasse soleil123 doudou12 bonjour1
bonjour123 jetaime1 chouchou marseille olympique nicolas1 camille1 contraseña contrasena contrasena1 hola1234
holahola barcelona10 mariajose juanjose josejose cachorro cachorrinho flamengo1 corinthians palmeiras saopaulo
gremio123 senha123 senha1234 mudar123 brasil10 passwort123 hallo123 hallo1234 schalke04 bayern12 fussball schatz12
sommer12 sonnenschein geheim12 geheim123 willkommen hamburg1 muenchen berlin12 frankfurt parola123 parola12 ciao1234
ciaociao francesco giuseppe alessandro alessandra andrea12 juventus inter1908 napoli1926 roma1927 wachtwoord welkom01
welkom123 voetbal1 haslo123 zaq1zaq1 zaq12wsx1 kochanie misiaczek lol12345 lollol12 lollipop lollipop1 lolipop1
omglol12 trololo1 noobnoob leetleet l33th4x0r 31337313 elite123 pr0n1234 hacktheplanet trustme1 trustnoone
trustnobody thisisit thisisme thisismypassword itsasecret nopassword nopass12 noaccess nosecret letmesee openopen
iforgot1 iforgotit correcthorsebatterystaple correcthorse monkeybutt dumbass1 dumbass12 jackass12 smartass stupid12
stupid123 loser123 losers12 crazy123 crazyboy crazygirl psycho12 maniac12 insane12 wildchild madhouse nightmare
darkness darkness1 darkangel darkstar blackmetal blackdragon bluedragon reddragon dragonfly dragonfly1 dragonfire
goldenboy goldfinger jamesbond jamesbond007 bond0070 agent007 secret007 007007007 mission1 impossible conspiracy
illuminati masonic1 rasputin frankenstein dracula1 godzilla godzilla1 kingkong kingkong1 jurassic dinosaur dinosaur1
mammoth1 alligator crocodile anaconda rattlesnake scorpions barracuda stingray sharks12 swordfish octopus1 lobster1
crabcake jellyfish starfish1 seahorse mermaid1 ladybug1 ladybug12 grasshopper bumblebee caterpillar cockroach
mosquito spider12 spider123 spiders1 tarantula scarface scarface1 godfather corleone sopranos gangster12 mafia123
mobster1 goodfella montecarlo casanova romeo123 juliet12 shakespeare picasso1 monalisa michelangelo leonardo12
beethoven mozart12 bach1234 chopin12 nutcracker swanlake cinderella cinderella1 snowwhite sleepingbeauty peterpan
peterpan1 aladdin1 pinocchio pocahontas rapunzel elsa1234 frozen12 lilo1234 stitch12 stitch626 toystory nemo1234
findingnemo shrek123 minions1 transformers optimus1 bumblebee1 megatron autobots pokemon2 yugioh12 bakugan1 beyblade
sailormoon inuyasha inuyasha1 deathnote fullmetal onepiece onepiece1 bleach12 gundam12 evangelion anime123 manga123
otaku123 cosplay1 legendofzelda zelda123 zelda1234 supermario mario123 luigi123 yoshi123 sonic123 megaman1 pacman12
tetris12 sims1234 thesims2 thesims3 halflife halflife2 doom1234 quake123 diablo12 diablo666 starcraft2 overwatch
leagueoflegends fortnite fortnite1 fortnite123 roblox12 roblox123 amongus1 valorant playgame gamer123 gamergirl
gameover gameboy1 player12 player123 player01 ps3ps3ps3 letsplay joystick controller
`
    .trim()
    .split(/\s+/),
);
