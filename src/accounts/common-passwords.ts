/**
 * What people choose first and guessers try first: of the passwords that lists of stolen ones name most often, those
 * that the other rules let through. In lower case; whoever wrote "Password1" wrote "password1".
 */
const COMMON = new Set(
  `
password password0 password1 password2 password3 password4 password5 password6 password7 password8 password9 password01
password10 password11 password12 password13 password21 password22 password23 password69 password77 password88 password99
password00 password007 password100 password101 password111 password123 password1234 password12345 password123456
password2020 password2021 password2022 password2023 password2024 password2025 password2026 passwords passwort passwort1
passw0rd passw0rd1 passw0rd123 p@ssw0rd p@ssw0rd1 p@ssw0rd123 p@ssword p@ssword1 p@ssword123 pa$$w0rd pa$$word pa55w0rd
pa55word pass1234 pass12345 pass123456 passpass mypassword mypassword1 newpassword thepassword passwordpassword
changeme changeme1 changeme123 letmein1 letmein12 letmein123 letmein1234 welcome1 welcome2 welcome12 welcome123
welcome1234 welcome01 welcome2020 welcome2021 welcome2022 welcome2023 welcome2024 welcome2025 welcome2026 default1
default123 testtest test1234 test12345 test123456 testing1 testing123 temp1234 temppass guest123 guest1234 secret12
secret123 secret1234 login123 login1234 user1234 username master12 master123 master1234 administrator admin123 admin1234
admin12345 admin123456 admin2020 admin2021 admin2022 admin2023 admin2024 admin2025 admin2026 adminadmin root1234 rootroot
toor1234 superuser system123 server123 company1 company123 monday123 summer01 summer12 summer123 summer2020 summer2021
summer2022 summer2023 summer2024 summer2025 summer2026 winter01 winter12 winter123 winter2020 winter2021 winter2022
winter2023 winter2024 winter2025 winter2026 spring01 spring123 spring2020 spring2021 spring2022 spring2023 spring2024
spring2025 spring2026 autumn01 autumn123 autumn2023 autumn2024 autumn2025 autumn2026 january1 february february1
september september1 october1 november november1 december december1
qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty01 qwerty11 qwerty21 qwerty77 qwerty99
qwertyqwerty qwer1234 qwerasdf qwertzui qwertzuiop qwertz123 azertyui azertyuiop azerty123 qweasdzxc qweasd123 qwe12345
qwe123456 qweqweqwe 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 2wsx3edc zaq12wsx zaq1zaq1 zaq1xsw2 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y
q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 1q1q1q1q a1s2d3f4 asdfghjk asdfghjkl asdf1234 asdfasdf asd12345 asdasdasd asdqwe123
zxcvbnm1 zxcvbnm123 zxcvbnm, zxcv1234 1234qwer 12345qwert 123456qwerty 123qweasd 123qwe123 123qweasdzxc 123qwerty 1234asdf
abcd1234 abcd12345 abcdefgh abcdefghi abcdefg1 abcdef12 abcdef123 abc12345 abc123456 abcabc123 a1b2c3d4 a1b2c3d4e5 a12345678
a123456789 a1234567 aa123456 aa12345678 aaaaaaaa aaaa1111 1111aaaa q1234567 q12345678 z1234567 x1234567 s1234567 123456aa
123456ab 123456abc 12345abc 12345abcd 1234abcd 1234567a 12345678a 123456789a 123456789q 1234567q 123123qwe 123abc123
11223344a 1a2b3c4d 1a2b3c4d5e
iloveyou iloveyou1 iloveyou2 iloveyou12 iloveyou123 iloveme1 ilovegod ilovejesus lovelove loveyou1 love1234 loveme123
lovers12 forever1 sunshine sunshine1 sunshine12 sunshine123 princess princess1 princess12 princess123 princesa angel123
angels12 blessed1 jesus123 jesuschrist football football1 football12 football123 baseball baseball1 baseball12
basketball basketball1 softball volleyball soccer12 soccer123 hockey12 liverpool liverpool1 arsenal1 arsenal123 chelsea1
chelsea123 barcelona barcelona1 juventus realmadrid manchester yankees1 cowboys1 steelers steelers1 lakers24 michael1
michael123 michelle michelle1 jennifer jennifer1 jessica1 jessica123 samantha samantha1 elizabeth elizabeth1 victoria
victoria1 veronica nicholas nicholas1 jonathan benjamin benjamin1 alexander alexander1 alexandra alexandr danielle
danielle1 daniel123 christian christian1 christina christine christopher charlotte charlie1 charlie123 thomas123
robert123 william1 anthony1 anthony123 matthew1 andrew123 jordan23 jordan123 ashley12 ashley123 hannah123 brandon1
isabella isabella1 gabriel1 gabriela patricia caroline katherine stephanie sebastian fernando francisco
superman superman1 superman123 batman12 batman123 spiderman spiderman1 starwars starwars1 pokemon1 pokemon123 naruto123
minecraft minecraft1 warcraft warcraft1 playstation nintendo computer computer1 computer123 internet internet1 samsung1
samsung123 google123 facebook facebook1 linkedin microsoft mustang1 corvette ferrari1 mercedes porsche1 harley123
whatever whatever1 trustno1 dragon12 dragon123 dragon1234 monkey12 monkey123 monkey1234 shadow12 shadow123
hunter123 killer12 killer123 ginger123 buster123 pepper123 cookie123 cheese123 banana123 chocolate chocolate1 butterfly
butterfly1 elephant dolphin1 dolphins panther1 tigger12 mickey12 snoopy123 midnight midnight1 moonlight rainbow1 flower12
flower123 diamond1 diamonds crystal1 garfield scorpion scorpio1 phoenix1 stargate startrek blink182 metallica metallica1
slipknot nirvana1 eminem123 bigdaddy bigboy12 player123 hello123 hello1234 hello12345 hellohello hellokitty goodluck
happy123 freedom1 freedom123 success1 success123 fuckyou1 fuckyou2 fuckyou123 asshole1 bullshit babygirl babygirl1
lovely12 precious precious1 sweetheart swordfish jackson1 marlboro budweiser guinness heineken access14
australia germany1 america1 america123 brooklyn california newyork1 portugal argentina vladimir
`
    .trim()
    .split(/\s+/),
);

/** What is wrong with a password that too many others have; undefined when nothing is. */
export function findCommonFault(password: string): string | undefined {
  return COMMON.has(password.toLowerCase())
    ? 'Password is one of the most common ones; choose another'
    : undefined;
}
